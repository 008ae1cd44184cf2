/** Bitwise aggregates of integers, in two's complement at every size. */
import type { AggregateFunction } from '../plan/expression.js';
import { integer } from '../value/external.js';
import { define } from './define.js';

function bitwise(name: string, combine: (a: bigint, b: bigint) => bigint): AggregateFunction {
  return define<{ bits: bigint | null }>({
    name,
    resolve: ([type, more]) =>
      more === undefined && (type === 'integer' || type === 'null') ? 'integer' : undefined,
    start: () => ({ bits: null }),
    step: (state, [value]) => {
      const bits = BigInt(value as number | bigint);
      state.bits = state.bits === null ? bits : combine(state.bits, bits);
      return state;
    },
    finish: ({ bits }) => (bits === null ? null : integer(bits)),
  });
}

export const bitAnd = bitwise('bit_and', (a, b) => a & b);
export const bitOr = bitwise('bit_or', (a, b) => a | b);
export const bitXor = bitwise('bit_xor', (a, b) => a ^ b);
