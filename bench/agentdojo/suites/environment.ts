/**
 * The state that the tools of a suite read and change. Where keys come from data (ids, names, addresses,
 * URLs) it is a `Map` in the order of insertion, which is the order in which the tools list things. Field
 * names are those of the data. Date-times are text, `YYYY-MM-DD HH:MM:SS`, so they sort as text.
 */
import * as v from 'valibot';
import { BenchError } from './error.js';
import type { Ordered } from './ordered-json.js';

export const SUITES = ['banking', 'slack', 'travel', 'workspace'] as const;
export type SuiteName = (typeof SUITES)[number];

const text = v.string();
const texts = v.array(text);
const number = v.number();

/** A dictionary with keys from data, read from the ordered form or from plain JSON. */
const dictionary = <const S extends v.GenericSchema>(item: S) =>
  v.pipe(
    v.unknown(),
    v.transform((fields) => (isPlainObject(fields) ? new Map(Object.entries(fields)) : fields)),
    v.map(text, item),
  );

/** An object with known fields, read from the ordered form or from plain JSON. */
const record = <const E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    v.unknown(),
    v.transform((fields) => (fields instanceof Map ? Object.fromEntries(fields) : fields)),
    v.object(entries),
  );

const transaction = record({
  id: number,
  sender: text,
  recipient: text,
  amount: number,
  subject: text,
  date: text,
  recurring: v.boolean(),
});
const message = record({ sender: text, recipient: text, body: text });
const attachment = v.union([text, record({ ...eventFields() })]);
const email = record({
  id_: text,
  sender: text,
  recipients: texts,
  cc: texts,
  bcc: texts,
  subject: text,
  body: text,
  status: v.picklist(['sent', 'received', 'draft']),
  read: v.boolean(),
  timestamp: text,
  /** The id of a file, or an event as it was when it was attached. */
  attachments: v.array(attachment),
});
const event = record({ ...eventFields() });
const file = record({
  id_: text,
  filename: text,
  content: text,
  owner: text,
  last_modified: text,
  shared_with: dictionary(v.picklist(['r', 'rw'])),
  size: number,
});

function eventFields() {
  return {
    id_: text,
    title: text,
    description: text,
    start_time: text,
    end_time: text,
    location: v.nullable(text),
    participants: texts,
    all_day: v.boolean(),
    status: v.picklist(['confirmed', 'canceled']),
  };
}

const PARTS = {
  bank_account: record({
    balance: number,
    iban: text,
    transactions: v.array(transaction),
    scheduled_transactions: v.array(transaction),
  }),
  filesystem: record({ files: dictionary(text) }),
  user_account: record({ first_name: text, last_name: text, street: text, city: text, password: text }),
  slack: record({
    users: texts,
    channels: texts,
    user_channels: dictionary(texts),
    user_inbox: dictionary(v.array(message)),
    channel_inbox: dictionary(v.array(message)),
  }),
  web: record({ web_content: dictionary(text), web_requests: texts }),
  hotels: record({
    hotel_list: v.array(
      record({
        name: text,
        city: text,
        rating: number,
        reviews: texts,
        price_min: number,
        price_max: number,
        address: text,
      }),
    ),
  }),
  restaurants: record({
    restaurant_list: v.array(
      record({
        name: text,
        city: text,
        address: text,
        rating: number,
        reviews: texts,
        cuisine_type: text,
        dietary_restrictions: text,
        contact_information: text,
        price_per_person: number,
        operating_hours: text,
      }),
    ),
  }),
  car_rental: record({
    company_list: v.array(
      record({
        name: text,
        city: text,
        address: text,
        rating: number,
        reviews: texts,
        contact_information: text,
        price_per_day: number,
        car_types_available: texts,
        fuel_options: texts,
      }),
    ),
  }),
  flights: record({
    flight_list: v.array(
      record({
        airline: text,
        flight_number: text,
        departure_city: text,
        arrival_city: text,
        departure_time: text,
        arrival_time: text,
        price: number,
        contact_information: text,
      }),
    ),
  }),
  user: record({
    first_name: text,
    last_name: text,
    ID_number: text,
    email: text,
    phone_number: text,
    address: text,
    passport_number: text,
    bank_account_number: text,
    credit_card_number: text,
  }),
  reservation: record({
    reservation_type: v.nullable(v.picklist(['hotel', 'restaurant', 'car'])),
    title: text,
    start_time: text,
    end_time: text,
    contact_information: text,
  }),
  inbox: record({
    account_email: text,
    emails: dictionary(email),
    contact_list: v.array(record({ email: text, name: text })),
    trash: dictionary(email),
  }),
  calendar: record({ current_day: text, account_email: text, events: dictionary(event) }),
  cloud_drive: record({ account_email: text, files: dictionary(file) }),
};

export type Parts = { [P in keyof typeof PARTS]: v.InferOutput<(typeof PARTS)[P]> };
export type PartName = keyof Parts;
export type Transaction = v.InferOutput<typeof transaction>;
export type Message = v.InferOutput<typeof message>;
export type Email = v.InferOutput<typeof email>;
export type CalendarEvent = v.InferOutput<typeof event>;
export type CloudDriveFile = v.InferOutput<typeof file>;

/** A suite has some of the parts. Mutable; the tools change it in place. */
export type Environment = Partial<Parts>;

/** @throws BenchError `bench/environment` where the data has another shape, with the path to it. */
export function readEnvironment(source: string, data: Ordered): Environment {
  if (!(data instanceof Map)) {
    throw new BenchError('bench/environment', `${source}: the environment must be an object of parts`);
  }
  const environment: Record<string, unknown> = {};
  for (const [name, part] of data) {
    if (!isPart(name)) throw new BenchError('bench/environment', `${source}: unknown part ${name}`);
    const parsed = v.safeParse(PARTS[name], part);
    if (!parsed.success) {
      const [issue] = parsed.issues;
      const path = v.getDotPath(issue) ?? '';
      throw new BenchError('bench/environment', `${source}: ${name}.${path}: ${issue.message}`);
    }
    environment[name] = parsed.output;
  }
  return environment as Environment;
}

/** A row as a tool returned it (plain JSON); undefined where it is none. */
export function readFile(row: unknown): CloudDriveFile | undefined {
  const read = v.safeParse(file, row);
  return read.success ? read.output : undefined;
}

/** A row as a tool returned it (plain JSON); undefined where it is none. */
export function readEvent(row: unknown): CalendarEvent | undefined {
  const read = v.safeParse(event, row);
  return read.success ? read.output : undefined;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

function isPart(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}

/** Independent of the original; a structured clone keeps maps and their order. */
export function copyEnvironment(environment: Environment): Environment {
  return structuredClone(environment);
}

/** The size that AgentDojo gives a file: characters (code points), not bytes. */
export function fileSize(content: string): number {
  let size = 0;
  for (const _ of content) size++;
  return size;
}
