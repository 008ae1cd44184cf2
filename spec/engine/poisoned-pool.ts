/**
 * A pool that pools every array, however short, and fills what is given back with nonsense: whoever still
 * reads a buffer that an execution gave back too early gets a wrong answer for certain, not once in a while.
 */
import { BufferPool, type PooledArray } from '../../engine/memory/pool.js';

export class PoisonedPool extends BufferPool {
  constructor() {
    super(1 << 30, 1);
  }

  override giveBack(array: PooledArray): void {
    array.fill(0x55);
    super.giveBack(array);
  }
}
