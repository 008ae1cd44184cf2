/**
 * Whether a text is an e-mail address, in the strictness of Python's email-validator without a look at the
 * DNS.
 */
import { pythonRepr } from '../python-repr.js';
import { ToolError } from './tool-error.js';

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~\-\u0080-\uffff]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~\-\u0080-\uffff]+)*$/i;
const DOMAIN =
  /^([a-z0-9\u0080-\uffff]([a-z0-9\-\u0080-\uffff]*[a-z0-9\u0080-\uffff])?\.)+[a-z\u0080-\uffff][a-z0-9\-\u0080-\uffff]*$/i;
/** Domains that can never be on the net. */
const SPECIAL = /(^|\.)(arpa|invalid|local|localhost|onion|test)$/i;

/**
 * The addresses with the domain in lower case.
 *
 * @throws ToolError `ValidationError` naming every text that is no address.
 */
export function emailAddresses(model: string, field: string, texts: readonly string[]): string[] {
  const problems: string[] = [];
  const addresses = texts.map((text, index) => {
    const reason = problem(text);
    if (reason !== undefined) {
      problems.push(
        `${field}.${index}\n  value is not a valid email address: ${reason} ` +
          `[type=value_error, input_value=${pythonRepr(text)}, input_type=str]`,
      );
    }
    const at = text.lastIndexOf('@');
    return text.slice(0, at) + text.slice(at).toLowerCase();
  });
  if (problems.length > 0) {
    const errors = problems.length === 1 ? '1 validation error' : `${problems.length} validation errors`;
    throw new ToolError('ValidationError', `${errors} for ${model}\n${problems.join('\n')}`);
  }
  return addresses;
}

function problem(text: string): string | undefined {
  const parts = text.split('@');
  const [local, domain] = parts;
  if (parts.length !== 2 || local === undefined || domain === undefined) {
    return 'The email address is not valid. It must have exactly one @-sign.';
  }
  if (local === '') return 'There must be something before the @-sign.';
  if (local.length > 64 || !LOCAL.test(local))
    return 'The part before the @-sign contains invalid characters.';
  if (domain === '') return 'There must be something after the @-sign.';
  if (!domain.includes('.')) return 'The part after the @-sign is not valid. It should have a period.';
  if (domain.length > 253 || !DOMAIN.test(domain)) {
    return 'The part after the @-sign contains invalid characters.';
  }
  if (SPECIAL.test(domain)) {
    return 'The part after the @-sign is a special-use or reserved name that cannot be used with email.';
  }
  return undefined;
}
