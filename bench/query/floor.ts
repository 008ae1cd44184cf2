/**
 * The floor: each query as hand-written loops over typed arrays, without plan, expressions or reuse between
 * queries. A bound on what JavaScript can do, not a design. Answers are columns.
 */
import type { Database } from './data.js';
import type { QueryName } from './plans.js';

export interface FloorAnswer {
  readonly columns: readonly ArrayLike<number | string>[];
  readonly rows: number;
}

/** Rows by integer key: open addressing, rows of equal key in a chain. */
class Index {
  readonly #slots: Int32Array;
  readonly #next: Int32Array;
  readonly #keys: Int32Array;
  readonly #mask: number;

  constructor(keys: Int32Array, keep?: (row: number) => boolean) {
    const size = 2 ** Math.ceil(Math.log2(2 * keys.length + 2));
    this.#mask = size - 1;
    this.#keys = keys;
    this.#slots = new Int32Array(size).fill(-1);
    this.#next = new Int32Array(keys.length);
    for (let row = 0; row < keys.length; row++) {
      if (keep !== undefined && !keep(row)) continue;
      let h = Math.imul(keys[row], 0x9e3779b1) & this.#mask;
      while (this.#slots[h] >= 0 && keys[this.#slots[h]] !== keys[row]) h = (h + 1) & this.#mask;
      this.#next[row] = this.#slots[h];
      this.#slots[h] = row;
    }
  }

  first(key: number): number {
    let h = Math.imul(key, 0x9e3779b1) & this.#mask;
    for (let row = this.#slots[h]; row >= 0; row = this.#slots[h]) {
      if (this.#keys[row] === key) return row;
      h = (h + 1) & this.#mask;
    }
    return -1;
  }

  next(row: number): number {
    return this.#next[row];
  }
}

class Ints {
  data: Int32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.data = new Int32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length++] = value;
  }
}

/** Distinct pairs. */
class PairSet {
  readonly a = new Ints();
  readonly b = new Ints();
  #slots = new Int32Array(4096);

  add(a: number, b: number): void {
    if (2 * this.a.length >= this.#slots.length) this.#grow();
    const at = this.#find(a, b);
    if (this.#slots[at] !== 0) return;
    this.a.push(a);
    this.b.push(b);
    this.#slots[at] = this.a.length;
  }

  #find(a: number, b: number): number {
    const mask = this.#slots.length - 1;
    let h = (Math.imul(Math.imul(a, 0x85ebca6b) ^ b, 0x9e3779b1) >>> 7) & mask;
    for (let s = this.#slots[h]; s !== 0; s = this.#slots[h]) {
      if (this.a.data[s - 1] === a && this.b.data[s - 1] === b) break;
      h = (h + 1) & mask;
    }
    return h;
  }

  #grow(): void {
    this.#slots = new Int32Array(4 * this.#slots.length);
    for (let i = 0; i < this.a.length; i++) this.#slots[this.#find(this.a.data[i], this.b.data[i])] = i + 1;
  }
}

/** Words as codes. */
function encode(words: readonly string[]): { codes: Int32Array; words: string[] } {
  const known = new Map<string, number>();
  const codes = Int32Array.from(words, (word) => {
    const code = known.get(word) ?? known.size;
    known.set(word, code);
    return code;
  });
  return { codes, words: [...known.keys()] };
}

export function floorQueries(db: Database): Record<QueryName, () => FloorAnswer> {
  const ints = (table: string, column: string): Int32Array =>
    db.get(table)?.columns.get(column) as Int32Array;
  const words = (table: string, column: string) =>
    encode(db.get(table)?.columns.get(column) as readonly string[]);
  const shipdate = ints('lineitem', 'l_shipdate');
  const quantity = ints('lineitem', 'l_quantity');
  const price = ints('lineitem', 'l_extendedprice');
  const discount = ints('lineitem', 'l_discount');
  const lineOrder = ints('lineitem', 'l_orderkey');
  const lineSupplier = ints('lineitem', 'l_suppkey');
  const lineNumber = ints('lineitem', 'l_linenumber');
  const orderKey = ints('orders', 'o_orderkey');
  const orderDate = ints('orders', 'o_orderdate');
  const orderCustomer = ints('orders', 'o_custkey');
  const priority = ints('orders', 'o_shippriority');
  const customerKey = ints('customer', 'c_custkey');
  const customerNation = ints('customer', 'c_nationkey');
  const supplierKey = ints('supplier', 's_suppkey');
  const supplierNation = ints('supplier', 's_nationkey');
  const nationKey = ints('nation', 'n_nationkey');
  const nationRegion = ints('nation', 'n_regionkey');
  const flag = words('lineitem', 'l_returnflag');
  const status = words('lineitem', 'l_linestatus');
  const segment = words('customer', 'c_mktsegment');
  const region = words('region', 'r_name');
  const nation = words('nation', 'n_name');
  const src = ints('edge', 'src');
  const dst = ints('edge', 'dst');
  const lines = lineOrder.length;

  return {
    q1() {
      const width = status.words.length;
      const groups = flag.words.length * width;
      const [qty, base, disc, n] = [0, 1, 2, 3].map(() => new Float64Array(groups));
      for (let i = 0; i < lines; i++) {
        if (shipdate[i] > 19980902) continue;
        const g = flag.codes[i] * width + status.codes[i];
        qty[g] += quantity[i];
        base[g] += price[i];
        disc[g] += price[i] * (100 - discount[i]);
        n[g]++;
      }
      const live = Array.from(n.keys()).filter((g) => n[g] > 0);
      const columns = [
        live.map((g) => flag.words[Math.floor(g / width)]),
        live.map((g) => status.words[g % width]),
        ...[qty, base, disc].map((sums) => live.map((g) => sums[g])),
        live.map((g) => qty[g] / n[g]),
        live.map((g) => n[g]),
      ];
      return { columns, rows: live.length };
    },
    q3() {
      const building = segment.words.indexOf('BUILDING');
      const byCustomer = new Index(customerKey, (i) => segment.codes[i] === building);
      const byOrder = new Index(
        orderKey,
        (i) => orderDate[i] < 19950315 && byCustomer.first(orderCustomer[i]) >= 0,
      );
      const groupOf = new Int32Array(orderKey.length).fill(-1);
      const members = new Ints();
      let sums = new Float64Array(1024);
      for (let i = 0; i < lines; i++) {
        if (shipdate[i] <= 19950315) continue;
        const order = byOrder.first(lineOrder[i]);
        if (order < 0) continue;
        let g = groupOf[order];
        if (g < 0) {
          g = members.length;
          groupOf[order] = g;
          members.push(order);
          if (g === sums.length) {
            const larger = new Float64Array(2 * g);
            larger.set(sums);
            sums = larger;
          }
        }
        sums[g] += price[i] * (100 - discount[i]);
      }
      const chosen = members.data.subarray(0, members.length);
      const pick = (column: Int32Array) => chosen.map((order) => column[order]);
      return { columns: [pick(orderKey), pick(orderDate), pick(priority), sums], rows: members.length };
    },
    q5() {
      const asia = region.words.indexOf('ASIA');
      const inAsia = new Uint8Array(nationKey.length);
      for (let i = 0; i < nationKey.length; i++) inAsia[nationKey[i]] = nationRegion[i] === asia ? 1 : 0;
      const bySupplier = new Index(supplierKey, (i) => inAsia[supplierNation[i]] === 1);
      const byCustomer = new Index(customerKey, (i) => inAsia[customerNation[i]] === 1);
      const customerOf = new Int32Array(orderKey.length);
      const byOrder = new Index(orderKey, (i) => {
        if (orderDate[i] < 19940101 || orderDate[i] >= 19950101) return false;
        customerOf[i] = byCustomer.first(orderCustomer[i]);
        return customerOf[i] >= 0;
      });
      const sums = new Float64Array(nationKey.length);
      const seen = new Uint8Array(nationKey.length);
      for (let i = 0; i < lines; i++) {
        const order = byOrder.first(lineOrder[i]);
        if (order < 0) continue;
        const supplier = bySupplier.first(lineSupplier[i]);
        if (supplier < 0 || supplierNation[supplier] !== customerNation[customerOf[order]]) continue;
        sums[supplierNation[supplier]] += price[i] * (100 - discount[i]);
        seen[supplierNation[supplier]] = 1;
      }
      const live = Array.from(nationKey.keys()).filter((i) => seen[nationKey[i]] === 1);
      return {
        columns: [live.map((i) => nation.words[nation.codes[i]]), live.map((i) => sums[nationKey[i]])],
        rows: live.length,
      };
    },
    q6() {
      let sum = 0;
      for (let i = 0; i < lines; i++) {
        const date = shipdate[i];
        if (date < 19940101 || date >= 19950101) continue;
        if (discount[i] >= 5 && discount[i] <= 7 && quantity[i] < 24) sum += price[i] * discount[i];
      }
      return { columns: [[sum]], rows: 1 };
    },
    j2() {
      const byOrder = new Index(orderKey);
      const out = [0, 1, 2, 3].map(() => new Ints(lines));
      for (let i = 0; i < lines; i++) {
        for (let order = byOrder.first(lineOrder[i]); order >= 0; order = byOrder.next(order)) {
          out[0].push(orderKey[order]);
          out[1].push(orderDate[order]);
          out[2].push(lineNumber[i]);
          out[3].push(quantity[i]);
        }
      }
      return { columns: out.map((column) => column.data), rows: out[0].length };
    },
    path() {
      const bySource = new Index(src);
      const pairs = new PairSet();
      for (let i = 0; i < src.length; i++) {
        for (let j = bySource.first(dst[i]); j >= 0; j = bySource.next(j)) pairs.add(src[i], dst[j]);
      }
      return { columns: [pairs.a.data, pairs.b.data], rows: pairs.a.length };
    },
    j2d() {
      const byOrder = new Index(orderKey);
      const pairs = new PairSet();
      for (let i = 0; i < lines; i++) {
        for (let order = byOrder.first(lineOrder[i]); order >= 0; order = byOrder.next(order))
          pairs.add(orderCustomer[order], lineSupplier[i]);
      }
      return { columns: [pairs.a.data, pairs.b.data], rows: pairs.a.length };
    },
    tri() {
      const bySource = new Index(src);
      const out = [new Ints(), new Ints(), new Ints()];
      for (let i = 0; i < src.length; i++) {
        for (let j = bySource.first(dst[i]); j >= 0; j = bySource.next(j)) {
          for (let k = bySource.first(dst[j]); k >= 0; k = bySource.next(k)) {
            if (dst[k] !== src[i]) continue;
            out[0].push(src[i]);
            out[1].push(src[j]);
            out[2].push(src[k]);
          }
        }
      }
      return { columns: out.map((column) => column.data), rows: out[0].length };
    },
  };
}
