/**
 * `ifc_plan`: the planner writes down the steps that it intends and is told what they would cost. The reply
 * is made of step numbers, names that the session issued, integrity and prices; no principal and no content
 * is in it.
 */
import * as v from 'valibot';
import type { Readers } from '../../../semiring/label/label.js';
import type { Design } from '../decision/design.js';
import { forecast } from '../forecast/forecast.js';
import type {
  Capabilities,
  Forecast,
  Outlook,
  Plan,
  PlannedStep,
  Step,
  Variable,
} from '../forecast/types.js';
import type { ToolPolicy } from '../policy/policy.js';
import { type Session, SessionError } from '../session/session.js';
import { textOf } from '../session/variables.js';

const names = v.array(v.string());

const intended = v.object({
  tool: v.string(),
  /** Literal values, where they are known: they say who receives what. */
  arguments: v.optional(v.record(v.string(), v.unknown()), {}),
  /** Argument name to the variables that it uses. */
  variables: v.optional(v.record(v.string(), v.union([v.string(), names])), {}),
  /** Hidden variables whose content decides this step. */
  reads: v.optional(names, []),
  /** Earlier steps, from 0, whose effect it needs. */
  after: v.optional(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), []),
});

type Intended = v.InferOutput<typeof intended>;

/** At most so many steps of a plan are looked at. */
const mostSteps = 50;

/** @throws SessionError `session/bad-plan`, naming the place in the arguments */
export function planReply(session: Session, args: Readonly<Record<string, unknown>>): string {
  const steps = v.safeParse(v.pipe(v.array(intended), v.minLength(1), v.maxLength(mostSteps)), args.steps);
  session.plan(textOf(args.steps ?? ''));
  if (!steps.success) {
    const [issue] = steps.issues;
    const path = ['steps', ...(issue.path?.map((item) => String(item.key)) ?? [])].join('.');
    throw new SessionError('session/bad-plan', `${path.slice(0, 80)} is not as the tool's schema says`);
  }
  const plan = planOf(session, steps.output);
  return replyOf(steps.output, forecast(plan), session.design);
}

/** The plan as the forecast takes it. */
export function planOf(session: Session, steps: readonly Intended[]): Plan {
  const { state } = session;
  const variables = [...state.variables.values()].map(
    (variable): Variable => ({
      name: variable.name,
      label: state.labelOf(variable),
      witnesses: state.witnessesOf(variable),
      visible: !state.hidden.has(variable.name),
    }),
  );
  return {
    context: state.context,
    variables,
    steps: steps.map((step, at) => stepOf(session, step, at)),
    capabilities: capabilitiesOf(session.design),
  };
}

export function capabilitiesOf(design: Design): Capabilities {
  const { quarantine, endorse } = design;
  const expand = design.expand === 'nothing' ? 'none' : design.expand;
  return { hides: design.hides !== 'nothing', quarantine, expand, endorse };
}

function stepOf(session: Session, step: Intended, at: number): Step {
  const policy = session.policyOf(step.tool);
  const used = new Map(
    Object.entries(step.variables).map(([name, value]) => [
      name,
      typeof value === 'string' ? [value] : value,
    ]),
  );
  for (const name of [...step.reads, ...[...used.values()].flat()]) session.variable(name);
  const outside = step.after.find((earlier) => earlier >= at);
  if (outside !== undefined) {
    throw new SessionError(
      'session/bad-plan',
      `step ${at} can come after steps 0 to ${at - 1} only, not ${outside}`,
    );
  }
  const known = new Set([...used.keys(), ...Object.keys(step.arguments)]);
  return {
    id: `${at}`,
    tool: step.tool,
    rule: policy.rule,
    trustedArguments: policy.trustedArguments,
    data: policy.data.map((term) => term.argument),
    recipients: recipientsOf(session, policy, step, used),
    arguments: [...known].map((name) => ({
      name,
      variables: used.get(name) ?? [],
      reads: [],
      extractable: true,
    })),
    reads: step.reads,
    after: step.after.map(String),
  };
}

/** Unknown where a recipient is a variable, or is not given: only the call itself will tell. */
function recipientsOf(
  session: Session,
  policy: ToolPolicy,
  step: Intended,
  used: ReadonlyMap<string, unknown>,
): Readers | 'unknown' {
  const asks = policy.recipients.flatMap((term) => {
    const argument = term.kind === 'lookup' ? term.of : term;
    return argument?.kind === 'argument' ? [argument.name] : [];
  });
  if (asks.some((name) => used.has(name))) return 'unknown';
  if (asks.length > 0 && !asks.some((name) => Object.hasOwn(step.arguments, name))) return 'unknown';
  return session.recipients(policy, new Map(Object.entries(step.arguments))) ?? 'unknown';
}

function replyOf(steps: readonly Intended[], result: Forecast, design: Design): string {
  const best = result[result.cheapest];
  const tool = (id: string) => JSON.stringify(steps[Number(id)].tool.slice(0, 64));
  const price = (name: string, { price: cost, exact }: Outlook) =>
    `- ${name}: ${Number.isFinite(cost) ? cost : 'cannot be done'}${exact ? '' : ' at most'}`;
  return [
    'The plan is noted. As written:',
    ...result.approve.steps.map((step) => `${step.id}. ${tool(step.id)}: ${stepWords(step)}`),
    'Human interventions, by way:',
    price('as written, a human approves what does not comply', result.approve),
    ...(design.quarantine
      ? [price('with quarantined answers in place of revealing', result.quarantine)]
      : []),
    price('in another order', result.reorder),
    ...(design.endorse ? [price('with endorsement', result.endorse)] : []),
    price('all of these together', result.best),
    `Cheapest: ${wayWords[result.cheapest]}, in this order:`,
    ...best.steps.map(
      (step) => `${step.id}. ${tool(step.id)}: ${[...preparations(step), stepWords(step)].join('; ')}`,
    ),
  ].join('\n');
}

const wayWords: Readonly<Record<Forecast['cheapest'], string>> = {
  approve: 'as written',
  quarantine: 'with quarantined answers',
  reorder: 'in another order',
  endorse: 'with endorsement',
  best: 'all of these together',
};

function stepWords({ decision, label }: PlannedStep): string {
  const context = label.integrity === 'T' ? 'trusted' : 'untrusted';
  return `${decision === 'complies' ? 'complies' : 'asks a human'} (context ${context})`;
}

function preparations({ endorses, reveals, quarantines }: PlannedStep): string[] {
  return [
    ...(endorses.length > 0 ? [`first have ${endorses.join(', ')} endorsed`] : []),
    ...(reveals.length > 0 ? [`reveal ${reveals.join(', ')}`] : []),
    ...(quarantines.length > 0 ? [`ask the quarantined model for ${quarantines.join(', ')}`] : []),
  ];
}
