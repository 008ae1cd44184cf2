/** Comments are wrapped by hand, since the formatter leaves them alone: at 110 columns, as code is. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['semiring', 'engine', 'udf', 'planner', 'bench', 'spec'];
const columns = 110;

/** Lines of comments that are too long, as `line: text`; an address or a suppression cannot be wrapped. */
function tooLong(text: string): string[] {
  return text.split('\n').flatMap((line, i) => {
    const comment = /^\s*(?:\/\/|\/\*\*?|\*(?:\s|$|\/))/.test(line);
    const whole = /https?:\/\/|biome-ignore/.test(line);
    return comment && !whole && line.length > columns ? [`${i + 1}: ${line.trim()}`] : [];
  });
}

function sourceFiles(): string[] {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  return ['index.ts', 'cli.ts', ...inFolders].filter(
    (file) => file.endsWith('.ts') && !file.includes('node_modules'),
  );
}

describe('comments', () => {
  it(`are at most ${columns} columns wide`, () => {
    const found = sourceFiles().flatMap((file) =>
      tooLong(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
    );
    assert.deepEqual(found, []);
  });

  it('that are too wide are found, wherever they stand', () => {
    const long = 'x'.repeat(columns);
    const text = `const a = 1;\n  // ${long}\n/**\n * ${long}\n */\n/** ${long} */\nconst b = '${long}';`;
    assert.deepEqual(
      tooLong(text).map((line) => line.split(':')[0]),
      ['2', '4', '6'],
    );
  });
});
