/**
 * How a test starts a program of the project in a process of its own: from the bundle where the test itself
 * runs from it, else from the source.
 */
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = join(root, 'dist', 'spec') + sep;

/**
 * @param path of the source file, from the root: `cli.ts`, or a file of `spec` whose name ends in `-child` or
 *   `-stand-in`
 * @returns what is to follow `node`
 */
export function program(path: string): string[] {
  if (process.argv[1].startsWith(bundle)) return ['--enable-source-maps', bundle + path.replace(/ts$/, 'js')];
  return ['--import', import.meta.resolve('tsx'), join(root, path)];
}
