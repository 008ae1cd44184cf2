/** The files that the lessons open, written into a folder of their own. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { policyText, runTutorialAgent } from './agent-run.js';

const files: readonly (readonly [string, string])[] = [
  ['r.csv', 'a,b,c\na,b,c\nd,b,e\nf,g,e\n'],
  ['payees.csv', 'name,account\nWaterworks,WATER-001\nPower & Light,POWER-002\n'],
  ['bills.csv', 'vendor,amount\nWaterworks,64\nShady Ltd,9000\n'],
  ['policy.yaml', policyText],
];

export async function writeTutorialFiles(folder: string): Promise<void> {
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  await runTutorialAgent(folder);
}
