/**
 * The tutorial as it plays through, held to its transcripts, and other transcripts played again. The
 * transcripts are written anew with ASSAY_UPDATE=1; they are read by people, so look at what changes.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inputOf, Player } from '../../../planner/shell/entry/transcript.js';
import { lessonTranscript, tutorialCommand } from '../../../planner/shell/entry/tutorial-command.js';
import { writeTutorialFiles } from '../../../planner/shell/tutorial/files.js';
import { lessons } from '../../../planner/shell/tutorial/lessons.js';
import { captured } from './capture.js';

const transcripts = fileURLToPath(new URL('transcripts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-transcripts-'));
const update = process.env.ASSAY_UPDATE !== undefined;

before(() => writeTutorialFiles(folder));
after(() => rmSync(folder, { recursive: true, force: true }));

function hold(path: string, screen: string): void {
  if (update) writeFileSync(path, screen);
  assert.equal(screen, readFileSync(path, 'utf8'));
}

describe('the tutorial', () => {
  for (const lesson of lessons) {
    it(`plays the lesson ${lesson.name} as its transcript says`, async () => {
      hold(join(transcripts, `tutorial-${lesson.name}.txt`), await lessonTranscript(lesson, folder));
    });
  }

  it('types nothing that fails', async () => {
    for (const lesson of lessons) {
      const player = new Player({ folder });
      await player.lines(lesson.steps.flatMap((step) => step.input));
      // A decision to ask a human is no failure.
      assert.ok(player.shell.status === 0 || player.shell.status === 4, lesson.name);
    }
  });

  it('derives the polynomials of Green, Karvounarakis and Tannen (PODS 2007, figure 5)', async () => {
    const screen = readFileSync(join(transcripts, 'tutorial-provenance.txt'), 'utf8');
    const table = screen.slice(screen.indexOf('│ a │ c │ N[X]'));
    const polynomials = [...table.slice(table.indexOf('├')).matchAll(/^│ (\w) │ (\w) │ (\S[^│]*?) *│$/gmu)]
      .slice(0, 5)
      .map(([, a, c, polynomial]) => [a, c, polynomial.split(' + ').sort().join(' + ')]);
    assert.deepEqual(polynomials, [
      ['a', 'c', '2·p^2'],
      ['a', 'e', 'p·r'],
      ['d', 'c', 'p·r'],
      ['d', 'e', '2·r^2 + r·s'],
      ['f', 'e', '2·s^2 + r·s'],
    ]);
  });

  it('is played by the command, and a wrong name gets the right ones', async () => {
    const played = await captured('', (streams) => tutorialCommand('agent', streams));
    assert.equal(played.code, 0);
    assert.equal(played.out, readFileSync(join(transcripts, 'tutorial-agent.txt'), 'utf8'));
    const wrong = await captured('', (streams) => tutorialCommand('agnet', streams));
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /"agent"/);
  });
});

describe('a transcript', () => {
  for (const name of readdirSync(transcripts).filter((file) => !file.startsWith('tutorial-'))) {
    it(`${name} plays as it says`, async () => {
      const path = join(transcripts, name);
      hold(path, await new Player({ folder }).lines(inputOf(readFileSync(path, 'utf8'))));
    });
  }
});
