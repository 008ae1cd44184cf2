/**
 * What counts as a link when permitted flow is decided: any address, as `addresses.ts` finds them. A bare
 * host name or mail address is no link, and only the argument as written is looked at.
 */
import { holdsAddress } from './addresses.js';

/** Whether any text inside `value` (strings, lists, objects, keys too) holds a link. Linear in its size. */
export function holdsLink(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item === 'string') {
      if (holdsAddress(item)) return true;
    } else if (Array.isArray(item)) {
      for (const inner of item) pending.push(inner);
    } else if (typeof item === 'object' && item !== null) {
      for (const [key, inner] of Object.entries(item)) pending.push(key, inner);
    }
  }
  return false;
}
