import { type ASTNode, serialize } from '@marcbachmann/cel-js';
import { loopMacros, safeMatches } from './cel-functions.ts';

/** The function that each pass of a loop goes through. */
export const meterFunction = 'meter';

/**
 * The source of an expression, with a call of the meter around everything that a loop evaluates for each member, and with
 * RE2 in the place of `matches`.
 */
export function meteredSource(node: ASTNode): string {
  switch (node.op) {
    case 'value':
      return serialize(node);
    case 'id':
      return node.args;
    case '.':
      return `${meteredSource(node.args[0])}.${node.args[1]}`;
    case '[]':
      return `${meteredSource(node.args[0])}[${meteredSource(node.args[1])}]`;
    case 'call':
      return callSource(node.args[0], node.args[1]);
    case 'rcall':
      return methodSource(...node.args);
    case 'list':
      return `[${listed(node.args)}]`;
    case 'map':
      return `{${node.args.map(([name, value]) => `${meteredSource(name)}: ${meteredSource(value)}`).join(', ')}}`;
    case '?:':
      return `(${meteredSource(node.args[0])} ? ${meteredSource(node.args[1])} : ${meteredSource(node.args[2])})`;
    case '!_':
      return `(!${meteredSource(node.args)})`;
    case '-_':
      return `(-${meteredSource(node.args)})`;
    case '.?':
    case '[?]':
      throw new Error('optional members are not part of the language');
    default:
      return `(${meteredSource(node.args[0])} ${node.op} ${meteredSource(node.args[1])})`;
  }
}

/** `has` looks at its argument as it is written. */
function callSource(name: string, args: readonly ASTNode[]): string {
  return `${name}(${name === 'has' ? args.map((arg) => serialize(arg)).join(', ') : listed(args)})`;
}

function methodSource(name: string, receiver: ASTNode, args: readonly ASTNode[]): string {
  const on = receiver.op === 'value' ? `(${meteredSource(receiver)})` : meteredSource(receiver);
  if (!loopMacros.has(name)) return `${on}.${name === 'matches' ? safeMatches : name}(${listed(args)})`;
  const [variable = '', ...bodies] = args.map((arg) => meteredSource(arg));
  const count = (test: string): string => `size(${on}.filter(${variable}, ${meterFunction}(${test})))`;
  // The quantifiers of the library go on after an error, also after one of the meter.
  if (name === 'all') return `(${count(`!(${bodies.join(', ')})`)} == 0)`;
  if (name === 'exists') return `(${count(bodies.join(', '))} > 0)`;
  if (name === 'exists_one') return `(${count(bodies.join(', '))} == 1)`;
  return `${on}.${name}(${[variable, ...bodies.map((body) => `${meterFunction}(${body})`)].join(', ')})`;
}

function listed(nodes: readonly ASTNode[]): string {
  return nodes.map((node) => meteredSource(node)).join(', ');
}
