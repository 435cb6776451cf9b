import { type ASTNode, EvaluationError, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { allowedFunctions, allowedMethods, celEnvironment, expressionLimits } from './cel-functions.ts';
import { fromCel, toCel } from './cel-values.ts';
import { BudgetError, createMeter, evaluationLimits } from './meter.ts';
import { meteredSource, meterFunction } from './metered-source.ts';
import { parseReferencePath, type ReferencePath } from './reference-path.ts';

/** The values that expressions can name, by their first name. */
export type ExpressionScope = Readonly<Record<string, unknown>>;

/** The first names of a scope. */
export const scopeNames = [
  'file',
  'inputs',
  'variables',
  'steps',
  'dfic',
  'job',
  'now',
  'error',
  'item',
  'index',
] as const;

/** An expression that is ready to be evaluated. */
export type Expression =
  | { readonly kind: 'path'; readonly names: ReferencePath }
  | { readonly kind: 'computed'; readonly evaluate: (scope: ExpressionScope) => unknown };

const meter = createMeter();

const parsing = celEnvironment(expressionLimits);

/** The source of an expression that runs is longer than the written one. */
const running = scopeNames
  .reduce(
    (environment, name) => {
      const type = name === 'now' ? 'google.protobuf.Timestamp' : 'dyn';
      return environment.registerVariable(name, type);
    },
    celEnvironment({ nodes: 10 * expressionLimits.nodes, depth: 8 * expressionLimits.depth }),
  )
  .registerFunction(`${meterFunction}(dyn): dyn`, (value: unknown) => meter.pass(value));

/** Compiled expressions by their sources, the oldest first. */
const compiled = new Map<string, Expression>();
const compiledAtMost = 2_000;

/** Evaluates an expression; the result is a value of JSON. @throws CodedError `expression_invalid` */
export function evaluateExpression(source: string, scope: ExpressionScope): unknown {
  const expression = compileExpression(source);
  if (expression.kind === 'path') return look(expression.names, source, scope);
  try {
    meter.begin();
    const result = fromCel(expression.evaluate(scope));
    assertSmall(result);
    return result;
  } catch (error) {
    throw failure(source, `cannot be evaluated: ${reasonOf(error)}`, error);
  }
}

/** Runs `work`, whose evaluations together may take so long; those after that fail. */
export function evaluatingWithin<R>(ms: number, work: () => R): R {
  return meter.within(ms, work);
}

/** @throws CodedError `expression_invalid`: the syntax is wrong, or a limit is exceeded */
export function compileExpression(source: string): Expression {
  const known = compiled.get(source);
  if (known) return known;
  const names = parseReferencePath(source);
  const expression: Expression = names ? { kind: 'path', names } : compileComputed(source);
  compiled.set(source, expression);
  const [oldest] = compiled.keys();
  if (compiled.size > compiledAtMost && oldest !== undefined) compiled.delete(oldest);
  return expression;
}

function compileComputed(source: string): Expression {
  try {
    const ast = parseComputed(source);
    const evaluate = running.parse(meteredSource(ast));
    const used = scopeNames.filter((name) => nodesOf(ast).some(({ op, args }) => op === 'id' && args === name));
    return { kind: 'computed', evaluate: (scope) => evaluate(celScope(scope, used)) as unknown };
  } catch (error) {
    throw failure(source, `is not valid: ${reasonOf(error)}`, error);
  }
}

/** The syntax tree of an expression. @throws ParseError; Error if it calls what is not part of the language */
export function parseComputed(source: string): ASTNode {
  if (source.length > expressionLimits.characters) {
    throw new Error(`an expression has at most ${expressionLimits.characters} characters`);
  }
  const { ast } = parsing.parse(source);
  for (const node of nodesOf(ast)) {
    const unknown = unknownCall(node);
    if (unknown !== undefined) throw new ParseError({ code: 'unknown_function', message: unknown, node });
  }
  return ast;
}

function unknownCall(node: ASTNode): string | undefined {
  if (node.op === 'call' && !allowedFunctions.has(node.args[0])) return `there is no function ${node.args[0]}`;
  if (node.op === 'rcall' && !allowedMethods.has(node.args[0])) return `there is no function ${node.args[0]}`;
  return undefined;
}

/** A node of a syntax tree with all nodes below it. */
export function nodesOf(root: ASTNode): ASTNode[] {
  return [root, ...childrenOf(root).flatMap(nodesOf)];
}

/** The nodes directly below a node. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}

/** The values with these names; a name without a value stays unknown to the expression. */
function celScope(scope: ExpressionScope, names: readonly string[]): Record<string, unknown> {
  const given = names.filter((name) => Object.hasOwn(scope, name));
  return Object.fromEntries(given.map((name) => [name, toCel(scope[name])]));
}

function look(names: ReferencePath, source: string, scope: ExpressionScope): unknown {
  let value: unknown = scope;
  for (const [index, name] of names.entries()) {
    // Only what the value itself holds: `constructor` and its kin are not for templates.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      throw failure(source, `cannot be evaluated: there is no ${names.slice(0, index + 1).join('.')}`);
    }
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'string' ? value : fromCel(value);
}

function assertSmall(result: unknown): void {
  if (typeof result !== 'object' && typeof result !== 'string') return;
  if (JSON.stringify(result).length > evaluationLimits.resultCharacters)
    throw new BudgetError('its result is too large');
}

/** What is wrong, without the excerpt that the library adds. Of an unknown error nothing is said: it may hold anything. */
export function reasonOf(error: unknown): string {
  if (error instanceof ParseError || error instanceof EvaluationError || error instanceof CelTypeError) {
    return error.summary;
  }
  if (error instanceof RangeError) return 'it needs too much memory, or a value is out of range';
  return error instanceof Error ? error.message : 'for an unknown reason';
}

const shownAtMost = 200;

function failure(source: string, rest: string, cause?: unknown): CodedError {
  const shown = source.length > shownAtMost ? `${source.slice(0, shownAtMost)}…` : source;
  return new CodedError('expression_invalid', { detail: `The expression ${JSON.stringify(shown)} ${rest}`, cause });
}
