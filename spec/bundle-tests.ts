/**
 * Bundles the specification: every test, and every program that a test starts, becomes JavaScript in
 * `dist/spec` once, instead of in each process that runs one. What the files share goes into chunks; packages
 * stay outside. `import.meta` keeps meaning the source: data that lies beside a test is found where it lies.
 */
import { readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the tests start in a process of its own, besides the command. */
const programs = /(-child|-stand-in)\.ts$/;

const entryPoints = readdirSync(`${root}spec`, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') || programs.test(file))
  .map((file) => `spec/${file}`);

/** Each `import.meta` of a source file says where that file is, not where its bundle is. */
const sourcePlaces: Plugin = {
  name: 'source places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta.')) return undefined;
      const places = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
      const contents = Object.entries(places).reduce(
        (text, [name, place]) =>
          text.replaceAll(new RegExp(`\\bimport\\.meta\\.${name}\\b`, 'g'), () => JSON.stringify(place)),
        source,
      );
      return { contents, loader: 'ts' };
    }),
};

rmSync(`${root}dist/spec`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['cli.ts', 'spec/run-tests.ts', ...entryPoints],
  outdir: 'dist/spec',
  outbase: '.',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  sourcesContent: false,
  plugins: [sourcePlaces],
  logLevel: 'warning',
});
