/** All pages of the documentation besides the API, written into a folder as documents of typedoc. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { semirings } from '../../semiring/registry.js';
import { hierarchyPage } from './hierarchy-page.js';
import { type Page, withFrontMatter } from './page.js';
import { semiringPage } from './semiring-page.js';

const spec = fileURLToPath(new URL('..', import.meta.url));

/** Documents that are written by hand, in `spec/`. */
const documents = ['semantics.md', 'threat-model.md'];

/**
 * Makes every page. What was in the folder before is gone.
 * @returns the pages' paths
 */
export async function writePages(folder: string): Promise<string[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const groups: readonly (readonly [group: string, pages: readonly Page[]])[] = [
    ['Concepts', [hierarchyPage(), ...(await Promise.all(documents.map(document)))]],
    ['Semirings', await Promise.all([...semirings.values()].map(semiringPage))],
  ];
  const written = groups.flatMap(([group, pages]) =>
    pages.map(async (page) => {
      const path = join(folder, page.file);
      await writeFile(path, withFrontMatter(page, group), { flag: 'wx' });
      return path;
    }),
  );
  return Promise.all(written);
}

async function document(file: string): Promise<Page> {
  const text = await readFile(join(spec, file), 'utf8');
  const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
  return { file, title, text };
}
