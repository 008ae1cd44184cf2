/**
 * The guard for those who embed it: it wraps a host's tools so that every call is decided, every result
 * labelled and, as the design says, hidden. The one thing to know: state is per conversation; a guard holds
 * none, and each `start` shares nothing with any other.
 */
import { AssayError } from '../../semiring/message/error.js';
import type { Model, ToolDeclaration } from '../../udf/model/model.js';
import { type Quarantine, quarantine } from '../../udf/model/quarantine.js';
import type { Tool, ToolArguments } from '../../udf/tool.js';
import { type FinalAnswer, finalAnswer } from './answer/final-answer.js';
import type { Decision } from './decision/decide.js';
import { type Design, designNamed } from './decision/design.js';
import { isIfcTool, startCall } from './loop/carry-out.js';
import type { Reactions } from './loop/reactions.js';
import { Approvals, type ApprovalsOptions } from './oversight/approvals.js';
import { denyAll, type Oversight } from './oversight/oversight.js';
import type { PlannedCall } from './planners/planner.js';
import { systemPrompt } from './planners/system-prompt.js';
import { declarations, withVariables } from './planners/tool-description.js';
import { loadPolicy } from './policy/load.js';
import type { Directory, Policy } from './policy/policy.js';
import type { SessionEvent } from './session/event.js';
import { type Call, Session } from './session/session.js';

export interface GuardOptions {
  /** A policy's text (YAML or JSON), or a loaded one. */
  readonly policy: string | Policy;
  /** A design or its name. Default `fides`. */
  readonly design?: Design | string;
  /** Who is asked about calls that do not comply. Default: nobody, they are denied. */
  readonly oversight?: Oversight;
  /** Answers questions about hidden data, without tools. Without it the design has no quarantine. */
  readonly model?: Model;
  /** What only the host knows: who is in a group, which object an argument names. */
  readonly directory?: Directory;
  /** What happens to a call that does not comply. Default `ask`. */
  readonly onViolation?: 'ask' | 'deny' | 'retry';
  /** Called with everything that happens, by conversation. */
  readonly log?: (event: SessionEvent, conversation: string) => void;
  readonly approvals?: ApprovalsOptions;
}

export interface Guard {
  readonly policy: Policy;
  readonly design: Design;
  /** For the planner model: how to work under this design. */
  readonly systemPrompt: string;
  /** A conversation that begins with the user's words. */
  start(prompt: string, options?: { readonly id?: string }): GuardedConversation;
}

/** @throws PolicyError, AssayError `design/unknown` */
export function createGuard(options: GuardOptions): Guard {
  const policy = typeof options.policy === 'string' ? loadPolicy(options.policy) : options.policy;
  const chosen = typeof options.design === 'object' ? options.design : designNamed(options.design ?? 'fides');
  const design = options.model ? chosen : { ...chosen, quarantine: false };
  let started = 0;
  return {
    policy,
    design,
    systemPrompt: systemPrompt(design),
    start: (prompt, { id } = {}) => {
      started += 1;
      return new GuardedConversation(policy, design, options, id ?? `conversation-${started}`, prompt);
    },
  };
}

export class GuardedConversation {
  readonly session: Session;
  /** Open approvals of this conversation. */
  readonly approvals: Approvals;
  readonly #options: GuardOptions;
  readonly #quarantine: Quarantine | undefined;
  readonly #tools = new Map<string, Tool>();
  /** Calls of the current turn, and how many of them have been answered. */
  #calls = 0;
  #answered = 0;

  constructor(policy: Policy, design: Design, options: GuardOptions, id: string, prompt: string) {
    const { directory, log } = options;
    this.#options = options;
    this.#quarantine = options.model && quarantine(options.model);
    this.approvals = new Approvals(options.approvals);
    this.session = new Session({
      policy,
      design,
      id,
      ...(directory && { directory }),
      ...(log && { log: (event) => log(event, id) }),
    });
    this.session.prompt(prompt);
  }

  /** More words of the user. */
  prompt(text: string): void {
    this.session.prompt(text);
  }

  /**
   * The tools to give to the planner model instead of the host's: guarded ones in the order given, then the
   * guard's own. What they answer is the text that the planner may see.
   * @throws AssayError `guard/tool-name` for two tools of one name, or one with a name of the guard's own
   */
  tools<const Given extends readonly Tool[]>(
    tools: Given,
  ): [...{ -readonly [I in keyof Given]: Tool }, ...Tool[]];
  tools(tools: readonly Tool[]): Tool[] {
    for (const tool of tools) {
      const { name } = tool;
      const other = this.#tools.get(name);
      if (isIfcTool(name) || (other !== undefined && other !== tool)) {
        throw new AssayError('guard/tool-name', `the tool name ${JSON.stringify(name)} is taken`);
      }
      this.#tools.set(name, tool);
    }
    const { policy, design } = this.session;
    return declarations(tools, policy, design).map((declared) => this.#guarded(declared));
  }

  /**
   * The planner model has answered: calls from here on are decided on the context as it is now. A host that
   * does not say so gets a new turn with the first call after any result.
   */
  turn(): void {
    this.session.beginTurn(undefined, { calls: [] });
    this.#calls = 0;
    this.#answered = 0;
  }

  /** The decision that a call would get now; nothing happens. For a framework's `needsApproval`. */
  preview(call: Call): Decision {
    return this.session.preview(call, this.session.context);
  }

  /**
   * What the user is shown for the planner's last words: variables filled in, loading links defused,
   * labelled.
   */
  answer(text: string): FinalAnswer {
    this.session.answer(text);
    return finalAnswer(this.session, text);
  }

  #guarded({ name, description, parameters }: ToolDeclaration): Tool {
    const hides = this.session.design.hides !== 'nothing';
    return {
      name,
      description,
      parameters: hides && this.#tools.has(name) ? withVariables(parameters) : parameters,
      execute: async (args, { callId, signal }) =>
        this.#carryOut(
          { tool: name, arguments: args, ...(callId === undefined ? {} : { id: callId }) },
          signal,
        ),
    };
  }

  async #carryOut(
    call: PlannedCall & { readonly arguments: ToolArguments },
    signal?: AbortSignal,
  ): Promise<string> {
    if (this.#calls === 0 || this.#answered > 0) this.turn();
    const at = this.#calls;
    this.#calls += 1;
    const { turn } = this.session.state;
    try {
      const started = await startCall({ ...this.#reactions(), ...(signal && { signal }) }, call);
      const text = typeof started === 'string' ? started : await started();
      if (this.session.state.turn === turn) this.session.observed(at, text);
      return text;
    } catch (cause) {
      if (signal?.aborted) throw cause;
      // Frameworks show a tool's error to the model, and what a directory or a model throws may hold hidden
      // data.
      throw new AssayError('guard/failed', 'The guard could not carry out this call.', { cause });
    } finally {
      this.#answered += 1;
    }
  }

  #reactions(): Reactions {
    const { oversight, onViolation } = this.#options;
    return {
      session: this.session,
      tools: this.#tools,
      oversight: oversight ?? denyAll,
      approvals: this.approvals,
      ...(this.#quarantine && { quarantine: this.#quarantine }),
      ...(onViolation && { onViolation }),
    };
  }
}
