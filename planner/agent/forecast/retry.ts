/**
 * The message that goes back to the planner model when a call does not comply. The one thing to know: it is
 * made of the call's shape, names that the session issued, integrity labels and policy text; no content, no
 * principal, no count, so that nothing untrusted can change a byte of it.
 *
 * A permitted flow is explained as the policy states it ("every recipient must be able to read `body`"), not
 * by which check failed for which reader: readers and recipients may themselves come out of untrusted data.
 */
import type { Integrity } from '../../../semiring/label/label.js';
import type { PolicyRule } from '../policy/policy.js';
import { product } from './state.js';
import { type Capabilities, interventions, type Name, type Prices } from './types.js';

/** A call that does not comply, without its content. */
export interface Violation {
  readonly tool: string;
  readonly rule: PolicyRule;
  readonly trustedArguments: readonly string[];
  readonly data: readonly string[];
  /** The tool also refuses links in untrusted data. */
  readonly refusesLinks: boolean;
  /** Of the context when the call was made. */
  readonly context: Integrity;
  /** The calls whose content made the context untrusted, by the names that the session gave them. */
  readonly contextFrom: readonly Name[];
  readonly arguments: readonly ViolationArgument[];
  /** Variables that the planner model has not seen, which it might pass in place of a literal. */
  readonly hidden: readonly Name[];
  readonly capabilities: Capabilities;
  /** The session has an oversight to ask. */
  readonly mayAsk: boolean;
  readonly prices?: Prices;
}

export interface ViolationArgument {
  /** As the policy or the tool's schema declares it. Names that neither declares must not be given here. */
  readonly name: string;
  readonly integrity: Integrity;
  /** Variables in it; none: a literal. */
  readonly variables: readonly Name[];
  /** Minimal sets of root variables that, once endorsed, would make it trusted. */
  readonly witnesses: readonly (readonly Name[])[];
}

/** A way on, and what it costs in human interventions. */
export interface Way {
  readonly way: string;
  readonly price: number;
}

/** English, for a model; deterministic. */
export function retryMessage(violation: Violation): string {
  const ways = waysOn(violation);
  return [
    `The call of ${violation.tool} was not made: it does not comply with the policy.`,
    `Rule: ${ruleText(violation)}`,
    ...obstacles(violation).map((obstacle) => `In the way: ${obstacle}`),
    ...(ways.length === 0 ? ['No way to comply is left in this session; go on without this call.'] : []),
    ...(ways.length === 0 ? [] : ['What would comply, cheapest first (price in human interventions):']),
    ...ways.map(({ way, price }, i) => `${i + 1}. [${price}] ${way}`),
  ].join('\n');
}

function ruleText({ rule, trustedArguments, data, refusesLinks }: Violation): string {
  const trusted =
    trustedArguments.length === 0
      ? 'the call must be made in a trusted context'
      : `the call must be made in a trusted context, and ${list(trustedArguments)} must be trusted`;
  const links = refusesLinks ? ', and untrusted data in it may hold no link' : '';
  const permitted = `every recipient must be allowed to read ${data.length === 0 ? 'what is sent' : list(data)}${links}`;
  switch (rule) {
    case 'none':
      return 'none.';
    case 'trusted-action':
      return `trusted action: ${trusted}.`;
    case 'permitted-flow':
      return `permitted flow: ${permitted}.`;
    case 'either':
      return `one of two. Permitted flow: ${permitted}. Trusted action: ${trusted}.`;
    case 'both':
      return `both of two. Permitted flow: ${permitted}. Trusted action: ${trusted}.`;
  }
}

function asksTrust({ rule }: Violation): boolean {
  return rule === 'trusted-action' || rule === 'either' || rule === 'both';
}

/** Arguments that must be trusted and are not. */
function untrustedArguments({ arguments: all, trustedArguments }: Violation): readonly ViolationArgument[] {
  return all.filter(({ name, integrity }) => integrity === 'U' && trustedArguments.includes(name));
}

function obstacles(violation: Violation): string[] {
  const found: string[] = [];
  if (asksTrust(violation) && violation.context === 'U') {
    const from =
      violation.contextFrom.length === 0
        ? ''
        : ` since it holds what came from ${list(violation.contextFrom)}`;
    found.push(`your context is untrusted${from}.`);
  }
  if (asksTrust(violation)) {
    for (const { name, variables } of untrustedArguments(violation)) {
      if (variables.length > 0) found.push(`${code(name)} is untrusted: it holds ${list(variables)}.`);
      else if (violation.context === 'U')
        found.push(`${code(name)} is a literal and untrusted as your context is.`);
    }
  }
  // Of two rules that must both hold, the flow has failed for certain only where trust has not.
  const flow = violation.rule === 'permitted-flow' || violation.rule === 'either';
  if (flow || (violation.rule === 'both' && found.length === 0)) {
    found.push('not every recipient is known to be allowed to read the data, or a check on links failed.');
  }
  return found;
}

/** Ways on, cheapest first, in a fixed order among equals. */
export function waysOn(violation: Violation): readonly Way[] {
  const { capabilities: can, context, data, rule, hidden } = violation;
  const prices = violation.prices ?? interventions;
  const ways: Way[] = [];
  const untrusted = untrustedArguments(violation);
  const literals = untrusted.filter(({ variables }) => variables.length === 0);
  const trustHelps = asksTrust(violation);
  const flowHelps = rule === 'permitted-flow' || rule === 'either' || rule === 'both';
  const literalData = violation.arguments.filter((a) => data.includes(a.name) && a.variables.length === 0);
  if (flowHelps && literalData.length > 0 && can.hides) {
    const names = list(literalData.map(({ name }) => name));
    const which = hidden.length === 0 ? 'a variable' : `a variable (you have ${list(hidden)})`;
    ways.push({
      way: `Pass ${which} in ${names} instead of literal text: a variable brings its own readers, a literal those of all you have seen.`,
      price: 0,
    });
  }
  if (flowHelps && can.quarantine && literalData.length > 0) {
    const names = list(literalData.map(({ name }) => name));
    ways.push({
      way: `Ask the quarantined model for ${names} as a typed value and pass the variable that it gives.`,
      price: prices.quarantine,
    });
  }
  if (trustHelps && context === 'T' && untrusted.length > 0) {
    const names = list(untrusted.map(({ name }) => name));
    ways.push({ way: `Write ${names} from what the user asked for, without a variable.`, price: 0 });
    const roots = smallestWitness(untrusted);
    if (can.endorse && roots !== undefined && roots.length > 0) {
      const price = prices.endorse + roots.length * prices.endorseRoot;
      ways.push({
        way: `Have ${list(roots)} endorsed by expanding with endorsement, then call again.`,
        price,
      });
    }
  }
  if (trustHelps && context === 'U') {
    ways.push({ way: 'In another run, make this call before you expand or read untrusted data.', price: 0 });
    if (literals.length > 0 || untrusted.length === 0) {
      if (can.endorse && violation.contextFrom.length > 0) {
        const price = prices.endorse + violation.contextFrom.length * prices.endorseRoot;
        ways.push({
          way: `In another run, have ${list(violation.contextFrom)} endorsed instead of expanding without endorsement.`,
          price,
        });
      }
    }
  }
  if (violation.mayAsk)
    ways.push({
      way: 'Make the same call again and ask for approval: a human decides on this one call.',
      price: prices.approve,
    });
  return ways
    .map((way, i) => ({ way, i }))
    .sort((a, b) => a.way.price - b.way.price || a.i - b.i)
    .map(({ way }) => way);
}

/** The fewest roots that make all of `untrusted` trusted; of equals the first in order of names. */
function smallestWitness(untrusted: readonly ViolationArgument[]): readonly Name[] | undefined {
  let sets: readonly (readonly Name[])[] = [[]];
  for (const { witnesses } of untrusted) sets = product(sets, witnesses);
  return [...sets].sort((a, b) => a.length - b.length || (a.join() < b.join() ? -1 : 1)).at(0);
}

function list(names: readonly string[]): string {
  const shown = names.map(code);
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function code(name: string): string {
  return `\`${name}\``;
}
