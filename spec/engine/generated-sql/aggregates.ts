/**
 * Aggregates, with DISTINCT, FILTER and an order of their own where the order of the rows decides the value.
 */
import { type SqlType, sqlTypes } from '../generated-sql-schema.js';
import { quantised } from './number-expressions.js';
import { output, type ScopeColumn, type Writer } from './writer.js';

/** As a CAST writes them. */
const typeNames: { readonly [t in SqlType]: string } = {
  integer: 'integer',
  float: 'double precision',
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  interval: 'interval',
};

export function writeAggregate(w: Writer, type: SqlType, rows: readonly ScopeColumn[]): string {
  const scope = { columns: rows, subqueries: false };
  const argument = (t: SqlType) => w.deeper(() => output(t, w.expression(t, scope)));
  const filter = () => (w.chance(5) ? ` FILTER (WHERE ${w.deeper(() => w.condition(scope))})` : '');
  const distinct = () => (w.chance(3) ? 'DISTINCT ' : '');
  const extreme = () => `${w.pick('min', 'max')}(${distinct()}${argument(type)})${filter()}`;
  const sum = (t: SqlType) => `sum(${distinct()}${argument(t)})${filter()}`;
  const forms: { readonly [t in SqlType]: readonly (() => string)[] } = {
    integer: [
      () => `count(*)${filter()}`,
      () => `count(${distinct()}${argument(w.pick(...sqlTypes))})${filter()}`,
      () => `CAST(${sum('integer')} AS integer)`,
      () => `${w.pick('bit_and', 'bit_or', 'bit_xor')}(${distinct()}${argument('integer')})${filter()}`,
      () => `regr_count(${argument('float')}, ${argument('integer')})${filter()}`,
      extreme,
    ],
    float: [
      () => sum('float'),
      () => `avg(${distinct()}${argument('float')})${filter()}`,
      extreme,
      () => `CAST(avg(${argument('integer')})${filter()} AS double precision)`,
      () =>
        quantised(
          `${w.pick('stddev_samp', 'var_samp', 'stddev_pop', 'var_pop', 'stddev', 'variance')}(${argument('integer')})`,
        ),
      () =>
        `percentile_cont(${w.pick('0', '0.25', '0.5', '1')}) WITHIN GROUP (ORDER BY CAST(${argument('integer')} AS double precision)${w.pick('', ' DESC')})${filter()}`,
      // Of few small integers, so that what is cut to 64ths is not a matter of the last bits.
      () =>
        quantised(
          `${w.pick('covar_pop', 'covar_samp', 'corr', 'regr_avgx', 'regr_avgy', 'regr_intercept', 'regr_r2', 'regr_slope', 'regr_sxx', 'regr_sxy', 'regr_syy')}(CAST(mod(${argument('integer')}, 4) AS double precision), CAST(mod(${argument('integer')}, 4) AS double precision))`,
        ),
    ],
    text: [
      extreme,
      () => {
        // The key of a DISTINCT must not be taken for an ordinal.
        const text = `CAST(${argument('text')} AS text)`;
        const order = `ORDER BY ${text}${w.pick('', ' DESC', ' NULLS FIRST')}`;
        return `string_agg(${distinct()}${text}, ',' ${order})${filter()}`;
      },
      () => {
        const [first, text] = [argument('integer'), argument('text')];
        return `string_agg(${text}, '' ORDER BY ${first}, ${text} DESC)${filter()}`;
      },
    ],
    boolean: [() => `${w.pick('bool_and', 'bool_or', 'every')}(${argument('boolean')})${filter()}`],
    date: [extreme],
    timestamp: [extreme],
    interval: [
      extreme,
      () => output('interval', sum('interval')),
      () => output('interval', `avg(${argument('interval')})${filter()}`),
    ],
  };
  const key = () => `CAST(${argument(type)} AS ${typeNames[type]})${w.pick('', ' DESC', ' NULLS FIRST')}`;
  const inOrder = [
    () => {
      const value = `CAST(${argument(type)} AS ${typeNames[type]})`;
      return `any_value(${value} ORDER BY ${value}${w.pick('', ' DESC')})${filter()}`;
    },
    () => `percentile_disc(${w.pick('0', '0.3', '0.5', '1')}) WITHIN GROUP (ORDER BY ${key()})${filter()}`,
    () => `mode() WITHIN GROUP (ORDER BY ${key()})${filter()}`,
  ];
  const ordered = w.chance(5) ? w.pick(...inOrder)() : undefined;
  if (ordered !== undefined) return type === 'interval' || type === 'float' ? output(type, ordered) : ordered;
  return w.write(forms[type]);
}
