/**
 * Who answers the requests of a command's runs: everybody gets yes, everybody gets no, or whoever sits at the
 * terminal.
 */
import { approveAll, denyAll, type Oversight } from '../../planner/agent/oversight/oversight.js';
import { askOnTerminal } from '../../planner/agent/oversight/terminal.js';
import type { Streams } from '../replay/command.js';

export interface Human {
  readonly kind: 'approve' | 'deny' | 'ask';
  readonly oversight: Oversight;
  /** Nobody is there to answer. */
  readonly absent: boolean;
}

export function overseer(kind: Human['kind'], streams: Streams): Human {
  switch (kind) {
    case 'approve':
      return { kind, oversight: approveAll, absent: false };
    case 'deny':
      return { kind, oversight: denyAll, absent: false };
    case 'ask': {
      const { stdin: input, stderr } = streams;
      // A stream of a process is a Writable; the interface of Streams says less.
      const output = stderr as NodeJS.WriteStream;
      return { kind, oversight: askOnTerminal({ input, output }), absent: !hasTerminal(streams) };
    }
  }
}

/**
 * Who answers where the command line does not say.
 * @param real whether a model plans, or tools have effects; without either a run is a measurement, so
 *   requests are approved, and counted
 */
export function usualAnswer(real: boolean, streams: Streams): Human['kind'] {
  if (!real) return 'approve';
  return hasTerminal(streams) ? 'ask' : 'deny';
}

function hasTerminal({ stdin }: Streams): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true;
}
