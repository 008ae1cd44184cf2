/**
 * What a planner model is told about a tool: its own description, and, where the design says so, its policy
 * in plain words. The words come from the policy and the design alone.
 */

import type { JsonSchema } from '../../../udf/json-schema.js';
import type { ToolDeclaration } from '../../../udf/model/model.js';
import type { Tool } from '../../../udf/tool.js';
import type { Design } from '../decision/design.js';
import { isRecord } from '../label/principals.js';
import type { Policy, ToolPolicy } from '../policy/policy.js';
import { undeclared } from '../policy/policy.js';
import { ifcTool } from './planner.js';

/**
 * The declarations to give to a planner model: the tools, then the guard's own calls that the design offers.
 */
export function declarations(tools: Iterable<Tool>, policy: Policy, design: Design): ToolDeclaration[] {
  const own = [...tools].map(({ name, description, parameters }) => {
    const words = design.plans ? policyWords(policy.tools.get(name) ?? undeclared(name)) : '';
    return { name, description: words === '' ? description : `${description}\n${words}`, parameters };
  });
  return [...own, ...ifcDeclarations(design)];
}

/** A tool's policy in plain words; empty for a tool without one. */
export function policyWords(policy: ToolPolicy): string {
  const rule = ruleWords(policy);
  return rule === '' ? '' : `Policy: ${rule}`;
}

function ruleWords(policy: ToolPolicy): string {
  const trusted = 'only in a high-integrity context';
  const args = policy.trustedArguments;
  const alsoArguments = args.length === 0 ? '' : `, and with trusted values for ${args.join(', ')}`;
  const flow = flowWords(policy);
  switch (policy.rule) {
    case 'none':
      return '';
    case 'trusted-action':
      return `${trusted}${alsoArguments}.`;
    case 'permitted-flow':
      return `${flow}.`;
    case 'either':
      return `${flow}; or else ${trusted}${alsoArguments}.`;
    case 'both':
      return `${trusted}${alsoArguments}, and ${flow}.`;
  }
}

function flowWords(policy: ToolPolicy): string {
  const data = policy.data.map((term) => term.argument).join(', ');
  const links = policy.links === 'refuse' ? ', without links from untrusted data' : '';
  return `egress: every recipient must be allowed to read ${data}${links}`;
}

function ifcDeclarations(design: Design): ToolDeclaration[] {
  const variables = {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of variables, such as #tool-result-1.body#.',
  };
  const all: ToolDeclaration[] = [];
  if (design.quarantine) {
    all.push({
      name: ifcTool.quarantine,
      description:
        'Asks a model that has no tools one question about hidden variables. The answer is stored in a new ' +
        'variable; you are told its name. Costs no human intervention.',
      parameters: {
        type: 'object',
        properties: {
          question: { type: 'string' },
          variables,
          type: {
            type: 'string',
            description: 'text, boolean, integer, number, date, enum(a, b, …), or a JSON Schema as text.',
          },
        },
        required: ['question', 'variables'],
      },
    });
  }
  if (design.expand !== 'nothing') all.push(expandDeclaration(design, variables));
  if (design.plans) {
    all.push({
      name: ifcTool.plan,
      description:
        'Writes down the steps that you intend. You are told which of them the policy allows as planned, how many ' +
        'human interventions each way costs, and the cheapest order. Use it first, when facts change, and before ' +
        'you reveal variables.',
      parameters: {
        type: 'object',
        properties: {
          steps: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                tool: { type: 'string' },
                arguments: { type: 'object', description: 'Literal arguments, where you know them.' },
                variables: { type: 'object', description: 'Argument name to the list of variables it uses.' },
                reads: { ...variables, description: 'Hidden variables whose content decides this step.' },
                after: { type: 'array', items: { type: 'integer' }, description: 'Earlier steps, from 0.' },
              },
              required: ['tool'],
            },
          },
        },
        required: ['steps'],
      },
    });
  }
  return all;
}

function expandDeclaration(design: Design, variables: object): ToolDeclaration {
  const endorse = design.endorse
    ? {
        endorse: {
          type: 'boolean',
          description:
            'Ask a human to certify the named variables (one intervention): the context keeps its integrity. ' +
            'Without it, all hidden variables are revealed and the context loses its integrity for good.',
        },
      }
    : {};
  return {
    name: ifcTool.expand,
    description:
      design.expand === 'one'
        ? 'Reveals one hidden variable. The context takes its label: calls that need a high-integrity context will ask a human from then on.'
        : 'Reveals hidden variables. Reveal only when a step depends on their content and no quarantined answer will do.',
    parameters: { type: 'object', properties: { variables, ...endorse }, required: ['variables'] },
  };
}

/**
 * A tool's parameters where every argument may also be the name of a variable. The tool's own schema is
 * checked later.
 */
export function withVariables(parameters: JsonSchema): JsonSchema {
  if (!isRecord(parameters.properties)) return parameters;
  const variable = { type: 'string', pattern: '^#.+#$', description: 'The name of a variable.' };
  const properties = Object.entries(parameters.properties).map(([name, schema]) => {
    const isText = isRecord(schema) && schema.type === 'string' && schema.enum === undefined;
    return [name, isText ? schema : { anyOf: [schema, variable] }];
  });
  return { ...parameters, properties: Object.fromEntries(properties) };
}
