/**
 * TPC-H-like data, deterministic: integers and short words only, so that every engine computes the same
 * answers. Money is in cents, discount in percent, dates are integers yyyymmdd. Scale 1 has six million line
 * items.
 */

export type ColumnData = Int32Array | readonly string[];

export interface TableData {
  readonly columns: ReadonlyMap<string, ColumnData>;
  readonly rows: number;
}

export type Database = ReadonlyMap<string, TableData>;

/** Mulberry32 (Tommy Ettinger): 32 bits of state, good enough for test data. */
function generator(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const segments = ['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY'];
const regions = ['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'];
const dayLength = 86_400_000;
const firstDay = Date.UTC(1992, 0, 1) / dayLength;
const lastOrder = Date.UTC(1998, 7, 2) / dayLength - firstDay - 121;
const today = 19950617;

/** yyyymmdd of a day number from the first day on. */
function calendar(days: number): Int32Array {
  return Int32Array.from({ length: days }, (_, day) => {
    const date = new Date((firstDay + day) * dayLength);
    return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
  });
}

function table(
  rows: number,
  columns: { readonly [name: string]: (row: number) => number },
  words: { readonly [name: string]: (row: number) => string } = {},
): TableData {
  const made = new Map<string, ColumnData>();
  for (const [name, value] of Object.entries(columns))
    made.set(
      name,
      Int32Array.from({ length: rows }, (_, row) => value(row)),
    );
  for (const [name, value] of Object.entries(words))
    made.set(
      name,
      Array.from({ length: rows }, (_, row) => value(row)),
    );
  return { columns: made, rows };
}

export function generate(scale: number): Database {
  const random = generator(19_920_101);
  const suppliers = Math.max(10, Math.round(10_000 * scale));
  const customers = Math.max(30, Math.round(150_000 * scale));
  const parts = Math.max(40, Math.round(200_000 * scale));
  const orders = Math.round(1_500_000 * scale);
  const dates = calendar(3000);
  const orderDays = Int32Array.from({ length: orders }, () => random(lastOrder));
  // Sparse keys: eight used of every thirty-two.
  const orderKey = (order: number): number => Math.floor(order / 8) * 32 + (order % 8) + 1;
  return new Map([
    ['region', table(5, { r_regionkey: (i) => i }, { r_name: (i) => regions[i] })],
    [
      'nation',
      table(
        25,
        { n_nationkey: (i) => i, n_regionkey: (i) => i % 5 },
        { n_name: (i) => `NATION${String(i).padStart(2, '0')}` },
      ),
    ],
    ['supplier', table(suppliers, { s_suppkey: (i) => i + 1, s_nationkey: () => random(25) })],
    [
      'customer',
      table(
        customers,
        { c_custkey: (i) => i + 1, c_nationkey: () => random(25) },
        { c_mktsegment: () => segments[random(5)] },
      ),
    ],
    [
      'orders',
      table(orders, {
        o_orderkey: orderKey,
        o_custkey: () => random(customers) + 1,
        o_orderdate: (i) => dates[orderDays[i]],
        o_shippriority: () => 0,
      }),
    ],
    ['lineitem', lineItems(orders, orderKey, orderDays, dates, parts, suppliers, random)],
    ['edge', edges(Math.max(100, Math.round(100_000 * scale)), random)],
  ]);
}

function lineItems(
  orders: number,
  orderKey: (order: number) => number,
  orderDays: Int32Array,
  dates: Int32Array,
  parts: number,
  suppliers: number,
  random: (below: number) => number,
): TableData {
  const orderOf: number[] = [];
  const numbers: number[] = [];
  for (let order = 0; order < orders; order++) {
    const lines = 1 + random(7);
    for (let line = 1; line <= lines; line++) {
      orderOf.push(order);
      numbers.push(line);
    }
  }
  const rows = orderOf.length;
  const price = (part: number): number => 90_000 + (Math.floor(part / 10) % 20_001) + 100 * (part % 1000);
  const quantities = Int32Array.from({ length: rows }, () => 1 + random(50));
  const shipDays = Int32Array.from({ length: rows }, (_, i) => orderDays[orderOf[i]] + 1 + random(121));
  const receiptDays = shipDays.map((day) => day + 1 + random(30));
  return table(
    rows,
    {
      l_orderkey: (i) => orderKey(orderOf[i]),
      l_suppkey: () => 1 + random(suppliers),
      l_linenumber: (i) => numbers[i],
      l_quantity: (i) => quantities[i],
      l_extendedprice: (i) => quantities[i] * price(1 + random(parts)),
      l_discount: () => random(11),
      l_shipdate: (i) => dates[shipDays[i]],
    },
    {
      l_returnflag: (i) => (dates[receiptDays[i]] <= today ? 'RA'[random(2)] : 'N'),
      l_linestatus: (i) => (dates[shipDays[i]] > today ? 'O' : 'F'),
    },
  );
}

/** A directed graph without loops or parallel edges, five edges a node. */
function edges(nodes: number, random: (below: number) => number): TableData {
  const keys = new Set<number>();
  while (keys.size < 5 * nodes) {
    const [a, b] = [random(nodes), random(nodes)];
    if (a !== b) keys.add(a * nodes + b);
  }
  const sorted = [...keys].sort((a, b) => a - b);
  return table(sorted.length, { src: (i) => Math.floor(sorted[i] / nodes), dst: (i) => sorted[i] % nodes });
}

/** An answer's checksum: independent of the order of rows and of the type of numbers. */
export function checksum(rows: readonly (readonly unknown[])[]): string {
  let total = 0;
  for (const row of rows) {
    const text = row
      .map((value) => (typeof value === 'string' ? value : String(Math.round(Number(value) * 1e4) / 1e4)))
      .join('|');
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    total = (total + (hash >>> 0)) % 2 ** 32;
  }
  return `${rows.length}:${total.toString(16)}`;
}
