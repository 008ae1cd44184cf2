/** Reading objects of other people's making, whose types are known from their documentation only. */

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The member `key` of anything; undefined where there is none. */
export function member(value: unknown, key: string): unknown {
  return isObject(value) || typeof value === 'function' ? Reflect.get(value, key) : undefined;
}
