/** `tsx spec/docs/main.ts FOLDER`: makes the documentation's pages, for typedoc to take in. */
import { writePages } from './pages.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: tsx spec/docs/main.ts FOLDER');
  process.exitCode = 2;
} else {
  const written = await writePages(folder);
  console.error(`${written.length} pages in ${folder}`);
}
