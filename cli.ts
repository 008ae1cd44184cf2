#!/usr/bin/env node
/**
 * The command `assay`. A subcommand's code is loaded when it is called, so that the shell starts fast; every
 * subcommand answers with an exit code of `planner/shell/process/exit-code.ts`.
 */
import { type Command, CommanderError, Option, program } from 'commander';
import { type ExitCode, exitCode } from './planner/shell/process/exit-code.js';
import { AssayError } from './semiring/message/error.js';

program
  .name('assay')
  .description('What is it made of, and may it be acted on: provenance queries, and a guard for AI agents.')
  .version('0.1.0')
  .exitOverride()
  .showHelpAfterError()
  .addHelpText(
    'after',
    '\nExit codes: 0 done; 1 a statement failed or part of the input was bad; 2 wrong usage; 3 cannot open; ' +
      '4 nobody was there to ask; 5 denied; 130 interrupted.',
  );

const collect = (value: string, before: readonly string[] = []) => [...before, value];

program
  .command('demo')
  .description('scenarios that ship with assay, replayed: a blocked attack, why, and an autonomy table')
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

/** Options of commands that run agents: the planner model, who is asked, the limits of a run. */
function withAgent(command: Command): Command {
  return command
    .option('-m, --model <name>', 'the planner model; the key comes from OPENAI_API_KEY')
    .option('--base-url <url>', 'an OpenAI-compatible endpoint')
    .addOption(new Option('--oversight <who>', 'who answers requests').choices(['approve', 'deny', 'ask']))
    .addOption(
      new Option('--on-violation <what>', 'what happens to a call that does not comply').choices([
        'ask',
        'deny',
        'retry',
      ]),
    )
    .option('--max-turns <n>', 'messages of the planner in one run')
    .option('--max-tokens <n>', 'tokens of one run')
    .option('--max-context <n>', 'tokens of one conversation')
    .option('--timeout <seconds>', 'time of one run')
    .option('--temperature <t>', 'of the planner model')
    .option('--cassette <file>', 'replay recorded answers of the model')
    .option('--record', 'record them instead');
}

withAgent(program.command('run'))
  .description('run a guarded agent on tasks; without a model, the ground truth of our own scenarios')
  .argument('[tasks]', 'a file of tasks (JSON, JSONL or YAML)')
  .option('--prompt <text>', 'one task, instead of a file')
  .option('-d, --design <names>', 'designs, parted by commas, or all')
  .option('-p, --policy <file>', 'the policy')
  .option('--profile <name>', 'the profile of the policy')
  .option('--tools <module>', 'a module whose default export, or `tools`, is a list of tools')
  .option('--mcp <command>', 'an MCP server over standard input and output')
  .option('--agentdojo <folder>', "AgentDojo's tasks with our own tools")
  .option('--suite <names>', 'suites of AgentDojo, or scenarios, parted by commas')
  .option('--task <ids>', 'tasks, parted by commas')
  .option('--runs <n>', 'repeat every task')
  .option('--parallel <n>', 'runs at a time')
  .option('--log <folder>', 'write one event log for each run')
  .option('--resume', 'go on with the runs of the logs')
  .option('--json', 'everything as one JSON object')
  .option('--quiet', 'no live view')
  .action(async (tasks, options) =>
    finish((await import('./bench/run/command.js')).runCommand(tasks, options, process)),
  );

program
  .command('check')
  .description('validate a policy file')
  .argument('<policies...>', 'policy files, or - for standard input')
  .option('--tools <file>', "the tools' schemas as JSON: [{name, parameters}]")
  .option('--json', 'diagnostics as JSON')
  .action(async (files, options) =>
    finish((await import('./planner/shell/entry/check-command.js')).checkCommand(files, options, process)),
  );

/** Options of commands that write rows. */
function withOutput(command: Command): Command {
  return command
    .option('--mode <name>', 'box, tabs, csv, json, jsonl, markdown or line')
    .option('--csv', '--mode csv')
    .option('--json', '--mode json; errors as JSON too')
    .option('--semiring <name>', 'read annotations in this semiring')
    .option('--width <columns>', 'of a box');
}

/** Options of commands that run scripts. */
function withScripts(command: Command): Command {
  return command
    .option('-c, --command <text>', 'run this and end; repeatable', collect)
    .option('-f, --file <file>', 'run this script and end; - is standard input; repeatable', collect)
    .option('--keep-going', 'errors do not end a script')
    .option('--no-rc', 'without the start-up file');
}

/** Options of commands in whose SQL a model may be asked. */
function withModel(command: Command): Command {
  return command
    .option('-m, --model <name>', 'answers ask(question, cells…) in SQL; the key comes from OPENAI_API_KEY')
    .option('--base-url <url>', 'an OpenAI-compatible endpoint')
    .option('--max-calls <n>', 'a query that would ask more often is refused')
    .option('--max-tokens <n>', 'and one that would take more tokens')
    .option('--max-cost <amount>', 'or more money: needs the prices')
    .option('--input-price <amount>', 'of a million tokens')
    .option('--output-price <amount>', 'of a million tokens')
    .option('--answers <file>', 'keep answers in this file, and ask for none of them again')
    .option('--cassette <file>', 'replay recorded answers of the model')
    .option('--record', 'record them instead');
}

/** Options of commands that read tables. */
function withSources(command: Command): Command {
  return command
    .option('--table <name=file>', 'a table from a CSV, JSON or JSONL file; repeatable', collect)
    .option('--database <file>', 'a saved database')
    .option('--session <file>', "an agent's event log");
}

withModel(withOutput(withScripts(program.command('repl'))))
  .description('the shell: SQL with provenance, semirings, what-if; .help inside')
  .argument('[files...]', 'CSV, JSON or JSONL files, which become tables, or a saved database')
  .option('--no-history', 'neither read nor write the history file')
  .action(async (files, options) =>
    finish((await import('./planner/shell/entry/repl-command.js')).replCommand(files, options, process)),
  );

withModel(withOutput(withSources(withScripts(program.command('query')))))
  .description('run SQL for a script: standard output is data')
  .argument('[sql]', 'SQL and dot commands; or -c, -f, or standard input')
  .action(async (sql, options) =>
    finish((await import('./planner/shell/entry/query-command.js')).queryCommand(sql, options, process)),
  );

withSources(program.command('graph'))
  .description("draw the provenance of a row, or an agent's session as a timeline")
  .argument('[sql]', 'a query')
  .option('--row <n>', 'which row, from 1')
  .option('--format <name>', 'tree, mermaid, dot or svg')
  .option('--gates <n>', 'how many gates at most')
  .option('-o, --output <file>', 'where the picture goes')
  .action(async (sql, options) =>
    finish((await import('./planner/shell/entry/graph-command.js')).graphCommand(sql, options, process)),
  );

program
  .command('tutorial')
  .description('semirings, security labels and a guarded agent, step by step')
  .argument('[lesson]')
  .action(async (lesson) =>
    finish((await import('./planner/shell/entry/tutorial-command.js')).tutorialCommand(lesson, process)),
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

withAgent(program.command('agentdojo-live'))
  .description('run guarded agents inside the real AgentDojo, a Python package that you install')
  .requiredOption('-p, --policies <path>', "AgentDojo's policies.json, a policy file, or a folder of them")
  .option('--profile <name>', 'the profile of the policies')
  .option('-d, --design <names>', 'designs, parted by commas, or all')
  .option('--python <program>', 'the interpreter that has AgentDojo', 'python3')
  .option('--benchmark-version <version>', "of AgentDojo's tasks; by default its newest")
  .option('--suite <names>', 'suites, parted by commas')
  .option('--task <ids>', 'user tasks, parted by commas')
  .option('--attack <name>', 'an attack of AgentDojo, such as important_instructions')
  .option('--injection-task <ids>', 'goals of the attack, parted by commas')
  .option('--ground-truth <folder>', 'exported data whose known calls are made where there is no model')
  .option('--log <folder>', 'write one event log for each run')
  .option('--json', 'everything as one JSON object')
  .option('--quiet', 'no live view')
  .action(async (options) =>
    finish((await import('./bench/agentdojo/bridge/live-command.js')).liveCommand(options, process)),
  );

/** Ends the process with the command's exit code, once its output is written. */
async function finish(code: Promise<ExitCode>): Promise<void> {
  process.exitCode = await code;
}

/**
 * The exit code for what a command threw. Anything but our errors, and the system's, is a defect and is
 * thrown on.
 */
async function failure(error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  const isOurs = error instanceof AssayError;
  if (!isOurs && !(error instanceof Error && 'syscall' in error)) throw error;
  const { visibleText } = await import('./semiring/message/visible-text.js');
  process.stderr.write(`assay: ${visibleText(error.message, { newlines: 'keep' })}\n`);
  if (!isOurs) return exitCode.cannotOpen;
  return error.code === 'design/unknown' ? exitCode.usage : exitCode.failed;
}

// A reader that goes away (`assay … | head`) ends the command quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCode.done);
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await failure(error);
}
