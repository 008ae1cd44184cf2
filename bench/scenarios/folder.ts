/** Where the scenarios' data files are: beside the source, which the package ships next to the compiled code. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function scenariosFolder(): string {
  const beside = fileURLToPath(new URL('.', import.meta.url));
  const shipped = fileURLToPath(new URL('../../../bench/scenarios/', import.meta.url));
  return existsSync(shipped) ? shipped : beside;
}
