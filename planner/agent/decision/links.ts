/**
 * What counts as a link when permitted flow is decided: text with a scheme `x://`, or `www.`. A bare host
 * name is no link, and only the argument as written is looked at.
 */

/** Whether any text inside `value` (strings, lists, objects, keys too) holds a link. Linear in its size. */
export function holdsLink(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item === 'string') {
      if (textHoldsLink(item)) return true;
    } else if (Array.isArray(item)) {
      for (const inner of item) pending.push(inner);
    } else if (typeof item === 'object' && item !== null) {
      for (const [key, inner] of Object.entries(item)) pending.push(key, inner);
    }
  }
  return false;
}

function textHoldsLink(text: string): boolean {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    if (at > 0 && /[a-z0-9+.-]/i.test(text[at - 1])) return true;
  }
  return /www\./i.test(text);
}
