import type { ASTNode } from '@marcbachmann/cel-js';
import { allowedMethods } from './cel-functions.ts';
import { childrenOf } from './expression.ts';

/** A value that an expression names. */
export interface Reference {
  readonly names: readonly string[];
  readonly start: number;
  /** Inside of `has`, which asks whether the last name exists. */
  readonly isAsked: boolean;
}

/** The values that an expression names: `names` are those that are known before it runs. `bound`: the variables of loops. */
export function referencesOf(node: ASTNode, bound: ReadonlySet<string> = new Set(), isAsked = false): Reference[] {
  const names = namesOf(node);
  if (names) return bound.has(names[0]) ? [] : [{ names, start: node.start, isAsked }];
  if (node.op === 'call' && node.args[0] === 'has')
    return node.args[1].flatMap((arg) => referencesOf(arg, bound, true));
  if (node.op === 'rcall' && allowedMethods.has(node.args[0]) && loopMethods.has(node.args[0])) {
    const [, receiver, [variable, ...bodies]] = node.args;
    const inner = variable?.op === 'id' ? new Set([...bound, variable.args]) : bound;
    return [...referencesOf(receiver, bound), ...bodies.flatMap((body) => referencesOf(body, inner))];
  }
  return childrenOf(node).flatMap((child) => referencesOf(child, bound));
}

const loopMethods: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** The names of a chain such as `steps.pack["outputs"]`; `undefined` for anything else. */
function namesOf(node: ASTNode): [string, ...string[]] | undefined {
  if (node.op === 'id') return [node.args];
  if (node.op === '.') {
    const before = namesOf(node.args[0]);
    return before && [...before, node.args[1]];
  }
  if (node.op !== '[]') return undefined;
  const [on, index] = node.args;
  const before = namesOf(on);
  return before && index.op === 'value' && typeof index.args === 'string' ? [...before, index.args] : undefined;
}
