/** All commands, in the order in which help lists them. */
import { agentCommands } from './agents.js';
import type { Command } from './command.js';
import { dataCommands } from './data.js';
import { helpCommand } from './help.js';
import { likelihoodCommands } from './likelihood.js';
import { modelCommands } from './model.js';
import { outputCommands } from './output.js';
import { provenanceCommands } from './provenance.js';
import { scriptCommands } from './scripts.js';
import { tokenCommands } from './tokens.js';
import { whatIfCommands } from './what-if.js';

export const commands: readonly Command[] = [
  ...dataCommands,
  ...modelCommands,
  ...provenanceCommands,
  ...likelihoodCommands,
  ...tokenCommands,
  ...whatIfCommands,
  ...agentCommands,
  ...outputCommands,
  ...scriptCommands,
  helpCommand(() => commands),
];
