/**
 * The label that an MCP server puts on a result, as GitHub's server does: `_meta.ifc`, with `integrity`
 * (`trusted` or `untrusted`) and `confidentiality` (`public` or `private`). It is the only one that is read;
 * any other member of `_meta` says nothing about labels. Such a label may restrict and never relax, so
 * `trusted` and `public` say nothing, and whatever of it is missing or cannot be read restricts as far as
 * possible.
 */
import { checkReaders } from '../../semiring/label/check-label.js';
import type { Label, Readers } from '../../semiring/label/label.js';
import { bottom } from '../../semiring/label/label.js';
import { isObject, member } from './member.js';

const nobody: ReadonlySet<string> = new Set();

/**
 * What the server's label demands beyond the policy's.
 * @param privateReaders who may read what the server calls private, besides the user; by default nobody
 * @returns undefined where there is no label, or none that restricts: the policy's stands
 * @throws SemiringError `semiring/bad-label` for private readers that are neither everyone nor a set of names
 */
export function mcpLabel(result: unknown, privateReaders: Readers = nobody): Label | undefined {
  const meta = ownMember(result, '_meta') ?? undefined;
  if (meta === undefined || (isObject(meta) && !Array.isArray(meta) && !Object.hasOwn(meta, 'ifc')))
    return undefined;
  const ifc = ownMember(meta, 'ifc');
  const label: Label = {
    integrity: ownMember(ifc, 'integrity') === 'trusted' ? 'T' : 'U',
    readers: readersOf(ownMember(ifc, 'confidentiality'), privateReaders),
  };
  return label.integrity === bottom.integrity && label.readers === bottom.readers ? undefined : label;
}

function readersOf(confidentiality: unknown, privateReaders: Readers): Readers {
  if (confidentiality === 'public') return 'everyone';
  return confidentiality === 'private' ? checkReaders(privateReaders, 'privateReaders') : nobody;
}

function ownMember(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? member(value, key) : undefined;
}
