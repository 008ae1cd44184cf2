/** An order of a circuit's nodes in which every node comes after its children; without recursion. */
import { childrenOf, type Node } from './circuit.js';

/** @param dependency which side of `either` is followed */
export function topological(root: Node, dependency: boolean): Node[] {
  const order: Node[] = [];
  const state = new Map<Node, 'open' | 'done'>();
  const stack: Node[] = [root];
  while (stack.length > 0) {
    const node = stack[stack.length - 1];
    const seen = state.get(node);
    if (seen === undefined) {
      state.set(node, 'open');
      for (const child of neededBy(node, dependency)) if (!state.has(child)) stack.push(child);
      continue;
    }
    stack.pop();
    if (seen === 'done') continue;
    state.set(node, 'done');
    order.push(node);
  }
  return order;
}

function neededBy(node: Node, dependency: boolean): readonly Node[] {
  if (node.kind !== 'either') return childrenOf(node);
  return [dependency ? node.dependency : node.derivation];
}
