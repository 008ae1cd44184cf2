/** A proof by operators as text, an operator a line. Untrusted text in it is made visible. */
import { shorten } from '../../../semiring/message/visible-text.js';
import type { PlanProof } from './plan-proof.js';

/** The tree as lines of text, two blanks a level. */
export function showPlanProof(proof: PlanProof): string {
  const lines: string[] = [];
  const visit = (part: PlanProof, depth: number): void => {
    const indent = '  '.repeat(depth);
    const values = part.values
      .map((value) => shorten(value === null ? 'NULL' : textOf(value), 30))
      .join(', ');
    const fact = part.fact
      ? `row ${part.fact.row + 1} of ${shorten(part.fact.table, 40)}, ${shorten(part.fact.name, 60)}`
      : shorten(part.details, 120);
    lines.push(`${indent}${part.operator}${fact === '' ? '' : ` ${fact}`} → (${values})`);
    for (const input of part.inputs) visit(input, depth + 1);
    if (part.more > 0) lines.push(`${indent}  … ${part.more} more`);
  };
  visit(proof, 0);
  return lines.join('\n');
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
