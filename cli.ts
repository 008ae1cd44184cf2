#!/usr/bin/env node
/**
 * The command `assay`. The one thing to know: a subcommand's code is loaded when it is called, so that the shell
 * starts fast; every subcommand answers with an exit code of `engine/exit-code.ts`.
 */
import { Command, CommanderError } from 'commander';
import { type ExitCode, exitCode } from './engine/exit-code.js';
import { visibleText } from './engine/visible-text.js';
import { AssayError } from './semiring/error.js';

const program = new Command('assay')
  .description('What is it made of, and may it be acted on: provenance queries, and a guard for AI agents.')
  .version('0.1.0')
  .exitOverride()
  .showHelpAfterError();

program
  .command('demo')
  .description(
    'a guarded agent on scenarios that ship with assay: a blocked attack, why, and an autonomy table',
  )
  .action(async () => finish((await import('./bench/scenarios/demo-command.js')).demoCommand(process)));

program
  .command('replay')
  .description('replay recorded runs of agents under a policy and report their autonomy')
  .argument('<traces...>', 'trace files (.jsonl, .jsonl.gz), folders of them, or - for standard input')
  .requiredOption(
    '-p, --policy <path>',
    "a policy file, a folder with one for each suite, or AgentDojo's policies.json",
  )
  .option('--profile <name>', 'the profile of the policy')
  .option('-d, --design <names>', 'designs, parted by commas', 'basic,basic-ifc')
  .option('--environment <folder>', 'AgentDojo suite files, for policies that ask who is in a channel')
  .option('--json', 'everything as one JSON object')
  .option('--csv', 'the summary as CSV')
  .option('--svg <file>', 'draw the TCR@k curves')
  .option('--explain <run>', 'one run as a table: model/suite/user_task[/injection_task]')
  .action(async (traces, options) =>
    finish((await import('./bench/replay/command.js')).replayCommand(traces, options, process)),
  );

program
  .command('agentdojo')
  .description("measure the designs on AgentDojo's ground truth, and attacks with a hijacked planner")
  .argument('<folder>', 'a folder with suites/, ground-truth/, injected/ and policies.json')
  .option('--profile <name>', 'the profile of the policies', 'fides')
  .option('-d, --design <names>', 'designs, parted by commas; all of them by default')
  .option('--attacks', 'also run every injected environment (about a minute)')
  .option('--json', 'everything as one JSON object')
  .action(async (folder, options) =>
    finish((await import('./bench/agentdojo/command.js')).agentDojoCommand(folder, options, process)),
  );

program
  .command('check')
  .description('validate a policy file')
  .argument('<policies...>', 'policy files, or - for standard input')
  .option('--tools <file>', "the tools' schemas as JSON: [{name, parameters}]")
  .option('--json', 'diagnostics as JSON')
  .action(async (files, options) =>
    finish((await import('./planner/agent/policy/check-command.js')).checkCommand(files, options, process)),
  );

/** Ends the process with the command's exit code, once its output is written. */
async function finish(code: Promise<ExitCode>): Promise<void> {
  process.exitCode = await code;
}

// A reader that goes away (`assay … | head`) ends the command quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCode.done);
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCode.done : exitCode.usage;
  } else if (error instanceof AssayError) {
    process.stderr.write(`assay: ${visibleText(error.message, { newlines: 'keep' })}\n`);
    process.exitCode = exitCode.failed;
  } else if (error instanceof Error && 'syscall' in error) {
    process.stderr.write(`assay: ${visibleText(error.message)}\n`);
    process.exitCode = exitCode.cannotOpen;
  } else {
    throw error;
  }
}
