/**
 * The final answer: the planner's words with variables filled in for the user, who may read all that the
 * agent reads. The answer is a sink with a policy of its own, and whatever untrusted data built in it cannot
 * load or be clicked.
 */
import type { Label } from '../../../semiring/label/label.js';
import type { Decision } from '../decision/decide.js';
import type { Session } from '../session/session.js';
import { splitText } from '../session/variables.js';
import { type Defused, defuse } from './defuse.js';
import type { AnswerPart } from './marked-text.js';

export interface FinalAnswer {
  /**
   * For the user: variables filled in, links and images that untrusted data built made inert. Where the
   * answer breaks its policy: a fixed text that says so, and nothing of the answer.
   */
  readonly text: string;
  /** Whether `text` stands in place of an answer that breaks its policy. */
  readonly withheld: boolean;
  /** The join of the labels of all that the answer is made of. */
  readonly label: Label;
  readonly defused: readonly Defused[];
  /** By the policy's `answer` section; where there is none, the answer is allowed. */
  readonly decision: Decision;
}

/** Says nothing that data chose. */
const withheldAnswer = 'The answer is withheld: its policy does not let it be shown here.';

export function finalAnswer(session: Session, text: string): FinalAnswer {
  const { state } = session;
  const parts = splitText(text, (name) => state.variables.get(name)).map((part): AnswerPart => {
    const variable = part.variable === undefined ? undefined : state.variables.get(part.variable);
    const label = variable ? state.space.join(state.context, state.labelOf(variable)) : state.context;
    return { text: part.text, label };
  });
  const label = state.space.joinAll([state.context, ...parts.map((part) => part.label)]);
  const policy = session.policy.answer;
  const decision: Decision = policy
    ? session.preview({ tool: policy.tool, arguments: { text } }, state.context, policy)
    : { verdict: 'allow', grounds: 'no policy' };
  if (decision.verdict === 'violation') {
    return { text: withheldAnswer, withheld: true, label, defused: [], decision };
  }
  return { ...defuse(parts), withheld: false, label, decision };
}
