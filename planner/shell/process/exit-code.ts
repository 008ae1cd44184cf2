/** Exit codes of the command `assay`, the same for every subcommand. */
export const exitCode = {
  done: 0,
  /** A statement failed, or part of the input was bad; what could be processed was. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** A file or a service cannot be opened. */
  cannotOpen: 3,
  /** A decision was "ask" and nobody was there to ask. */
  unanswered: 4,
  /** A call was denied. */
  denied: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
