/** The program that is killed: says "go", then resumes the run in the folder of its first argument. */
import { denyAll } from '../../../planner/agent/oversight/oversight.js';
import { go } from './killed-run.js';

const [, , folder, name] = process.argv;
process.stdout.write('go');
await go(folder, name, denyAll);
