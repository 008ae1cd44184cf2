/**
 * Untrusted values as text for a prompt: JSON in printable characters. Inside strings everything that could
 * be read as markup, a special token or a line is escaped, and JSON says it unambiguously.
 */
import { ModelError } from './model-error.js';

const deepestValue = 64;

/**
 * Angle and square brackets and bars (role markup such as `<|im_start|>` and `[INST]`), and all characters
 * without a shape: controls, formats (direction, zero width, tags), lone surrogates, private use, unassigned,
 * line separators.
 */
const unsafe = /[<>[\]|]|[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * JSON of `value`, one line.
 * @throws ModelError `model/bad-input` where it is not JSON or nested deeper than 64
 */
export function encodeData(value: unknown, depth = 0): string {
  if (depth > deepestValue) throw badInput(`nested deeper than ${deepestValue}`);
  if (typeof value === 'string') return encodeText(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => encodeData(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([key, member]) => `${encodeText(key)}:${encodeData(member, depth + 1)}`).join(',')}}`;
  }
  throw badInput(`of type ${typeof value}`);
}

export function encodeText(text: string): string {
  return JSON.stringify(text).replace(unsafe, (character) => {
    let escaped = '';
    for (let i = 0; i < character.length; i += 1) {
      escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
    }
    return escaped;
  });
}

function badInput(what: string): ModelError {
  return new ModelError('model/bad-input', `An input is ${what}; it must be plain JSON.`);
}
