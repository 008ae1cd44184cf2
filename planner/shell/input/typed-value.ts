/** What a person typed as a value of a column's type, in external form. */
import type { Type } from '../../../engine/value/value.js';
import { ShellError } from '../shell-error.js';

/** An unquoted `null` is NULL. @throws ShellError `shell/value` */
export function typedValue(text: string, type: Type, offset: number, quoted = false): unknown {
  if (!quoted && /^null$/i.test(text)) return null;
  switch (type) {
    case 'integer':
      if (/^[+-]?\d{1,400}$/.test(text)) return text.length < 16 ? Number(text) : BigInt(text);
      break;
    case 'float':
      if (text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text);
      break;
    case 'boolean':
      if (/^(?:t|true)$/i.test(text)) return true;
      if (/^(?:f|false)$/i.test(text)) return false;
      break;
    case 'json':
      try {
        return JSON.parse(text) as unknown;
      } catch {
        break;
      }
    default:
      return text;
  }
  throw new ShellError('shell/value', `${JSON.stringify(text.slice(0, 64))} is no ${type}`, { offset });
}
