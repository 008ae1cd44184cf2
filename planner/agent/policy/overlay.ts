/**
 * A profile laid over the base. An entry of a profile says only what differs. Keys replace keys, a list of
 * fields relabels those fields, and a bare label keeps the readers of the base.
 */
import { nearest } from '../../../semiring/message/nearest.js';
import { quote, type Report } from './diagnostic.js';
import type { Form, Layer, ResultSyntax, ToolSyntax } from './syntax.js';

/** @param profile for messages */
export function overlay(base: Layer, over: Layer, profile: string, report: Report): Layer {
  const where = `profile ${quote(profile)}`;
  const known = <V>(kind: string, name: string, at: number, map: ReadonlyMap<string, V>): V | undefined => {
    const found = map.get(name);
    if (found === undefined)
      report.error(at, `${where}: unknown ${kind} ${quote(name)}`, nearest(name, map.keys()));
    return found;
  };
  const groups = new Map(base.groups);
  for (const [name, group] of over.groups)
    if (known('group', name, group.at, groups)) groups.set(name, group);
  const types = new Map(base.types);
  for (const [name, type] of over.types) {
    const below = known('type', name, type.at, types);
    if (below) types.set(name, { ...type, result: overlayResult(below.result, type.result) });
  }
  const tools = new Map(base.tools);
  for (const [name, tool] of over.tools) {
    const below = known('tool', name, tool.at, tools);
    if (tool.arguments)
      report.error(tool.at, `${where}: arguments of ${quote(name)} are declared below it`, `write ${name}`);
    if (below) tools.set(name, overlayTool(below, tool));
  }
  const answer =
    base.answer && over.answer ? { ...base.answer, ...over.answer } : (over.answer ?? base.answer);
  return { groups, types, tools, ...(answer && { answer }) };
}

function overlayTool(base: ToolSyntax, over: ToolSyntax): ToolSyntax {
  const result =
    over.result && base.result ? overlayResult(base.result, over.result) : (over.result ?? base.result);
  return {
    ...base,
    ...over,
    ...(base.arguments && { arguments: base.arguments }),
    ...(result && { result }),
  };
}

function overlayResult(base: ResultSyntax, over: ResultSyntax): ResultSyntax {
  const form = over.form && refined(base.form, over.form);
  // The name of another type brings the readers of that type.
  const below: Partial<ResultSyntax> = over.form?.kind === 'type' ? {} : base;
  return { ...below, ...over, ...((form ?? base.form) && { form: form ?? base.form }) };
}

function refined(base: Form | undefined, over: Form): Form {
  if (over.kind !== 'record' || over.like !== undefined || base === undefined) return over;
  return { ...over, like: base };
}
