/** The program that is killed: resumes the run in the folder that its first argument names, and says "go" first. */
import { denyAll } from '../../../planner/agent/oversight/oversight.js';
import { go } from './killed-run.js';

const [, , folder, name] = process.argv;
process.stdout.write('go');
await go(folder, name, denyAll);
