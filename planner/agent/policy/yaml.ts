/** The YAML library, loaded when a policy is first read: most programs that import assay never read one. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export function yaml(): typeof import('yaml') {
  return require('yaml');
}
