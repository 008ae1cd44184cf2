/**
 * A table's column while it grows. A snapshot shares its memory with the buffer; appending only writes past
 * the snapshot's end or into a larger copy, so a snapshot never changes.
 */
import type { Type, Value } from '../value/value.js';
import type { Bounds, Nulls, Vector } from '../value/vector.js';

type Storage =
  | { form: 'int32'; data: Int32Array }
  | { form: 'float64'; data: Float64Array }
  | { form: 'boolean'; data: Uint8Array }
  | { form: 'dictionary'; data: Int32Array; words: string[]; codes: Map<string, number> }
  | { form: 'plain'; data: Value[] };

/** A text column gives up its dictionary when more than half of this many rows are distinct. */
const dictionaryTrial = 4096;

export class ColumnBuffer {
  readonly type: Type;
  #storage: Storage;
  #nulls: Uint8Array | null = null;
  #length = 0;
  #min = 0;
  #max = 0;
  #nullCount = 0;

  constructor(type: Type, capacity = 16) {
    this.type = type;
    this.#storage = emptyStorage(type, Math.max(16, capacity));
  }

  get length(): number {
    return this.#length;
  }

  /** @param value in machine form, of this column's type */
  push(value: Value): void {
    const i = this.#length;
    this.#ensure(i + 1);
    if (value === null) this.#pushNull(i);
    else this.#put(i, value);
    this.#length = i + 1;
  }

  /**
   * The column as it is now. @param length only so many rows of it: the column as it was when it had these
   */
  snapshot(length = this.#length): Vector {
    const { type } = this;
    const nulls: Nulls = this.#nulls;
    const storage = this.#storage;
    switch (storage.form) {
      case 'int32':
        return { form: 'int32', type, length, nulls, data: storage.data, bounds: this.#bounds() };
      case 'dictionary':
        return { form: 'dictionary', type, length, nulls, data: storage.data, words: storage.words };
      case 'float64':
        return { form: 'float64', type, length, nulls, data: storage.data };
      case 'boolean':
        return { form: 'boolean', type, length, nulls, data: storage.data };
      case 'plain':
        return { form: 'plain', type, length, nulls, data: storage.data };
    }
  }

  #bounds(): Bounds {
    return { min: this.#min, max: this.#max };
  }

  #pushNull(i: number): void {
    this.#nulls ??= new Uint8Array(capacityOf(this.#storage, i));
    this.#nulls[i] = 1;
    this.#nullCount++;
    if (this.#storage.form === 'plain') this.#storage.data[i] = null;
    else this.#storage.data[i] = 0;
  }

  #put(i: number, value: Exclude<Value, null>): void {
    const storage = this.#storage;
    switch (storage.form) {
      case 'int32':
        if (typeof value !== 'number' || (value | 0) !== value) {
          this.#widen(typeof value === 'bigint' ? 'plain' : 'float64');
          this.#put(i, value);
          return;
        }
        if (i === this.#nullCount) this.#min = this.#max = value;
        else if (value < this.#min) this.#min = value;
        else if (value > this.#max) this.#max = value;
        storage.data[i] = value;
        return;
      case 'float64':
        if (typeof value !== 'number') {
          this.#widen('plain');
          this.#put(i, value);
          return;
        }
        storage.data[i] = value;
        return;
      case 'boolean':
        storage.data[i] = value === true ? 1 : 0;
        return;
      case 'dictionary': {
        const word = String(value);
        let code = storage.codes.get(word);
        if (code === undefined) {
          code = storage.words.length;
          storage.words.push(word);
          storage.codes.set(word, code);
        }
        storage.data[i] = code;
        if (i === dictionaryTrial && storage.words.length * 2 > i) this.#widenText();
        return;
      }
      case 'plain':
        storage.data[i] = value;
    }
  }

  #widen(form: 'float64' | 'plain'): void {
    const { data } = this.#storage;
    if (form === 'float64' && data instanceof Int32Array) {
      this.#storage = { form, data: Float64Array.from(data) };
      return;
    }
    const nulls = this.#nulls;
    const values = Array.from(data as ArrayLike<Value>).slice(0, this.#length);
    this.#storage = { form: 'plain', data: values.map((value, i) => (nulls?.[i] === 1 ? null : value)) };
  }

  #widenText(): void {
    const storage = this.#storage;
    if (storage.form !== 'dictionary') return;
    const data: Value[] = [];
    for (let i = 0; i <= this.#length; i++) {
      data.push(this.#nulls?.[i] === 1 ? null : storage.words[storage.data[i]]);
    }
    this.#storage = { form: 'plain', data };
  }

  #ensure(length: number): void {
    const storage = this.#storage;
    if (storage.form !== 'plain' && storage.data.length < length) grow(storage, length);
    if (this.#nulls !== null && this.#nulls.length < length) {
      const larger = new Uint8Array(Math.max(2 * this.#nulls.length, length));
      larger.set(this.#nulls);
      this.#nulls = larger;
    }
  }
}

function emptyStorage(type: Type, capacity: number): Storage {
  switch (type) {
    case 'integer':
    case 'date':
      return { form: 'int32', data: new Int32Array(capacity) };
    case 'float':
    case 'timestamp':
      return { form: 'float64', data: new Float64Array(capacity) };
    case 'boolean':
      return { form: 'boolean', data: new Uint8Array(capacity) };
    case 'text':
      return { form: 'dictionary', data: new Int32Array(capacity), words: [], codes: new Map() };
    default:
      return { form: 'plain', data: [] };
  }
}

function capacityOf(storage: Storage, i: number): number {
  return storage.form === 'plain' ? Math.max(16, 2 * (i + 1)) : storage.data.length;
}

function grow(storage: Exclude<Storage, { form: 'plain' }>, length: number): void {
  const capacity = Math.max(2 * storage.data.length, length);
  if (storage.form === 'float64') {
    const larger = new Float64Array(capacity);
    larger.set(storage.data);
    storage.data = larger;
  } else if (storage.form === 'boolean') {
    const larger = new Uint8Array(capacity);
    larger.set(storage.data);
    storage.data = larger;
  } else {
    const larger = new Int32Array(capacity);
    larger.set(storage.data);
    storage.data = larger;
  }
}
