import { type Environment, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js';
import { celEnvironment, expressionLimits } from '../expressions/cel-functions.ts';
import { parseComputed, reasonOf } from '../expressions/expression.ts';
import { parseReferencePath } from '../expressions/reference-path.ts';
import { type Reference, referencesOf } from '../expressions/references.ts';
import { resolveNames, type ScopeType } from './scope-type.ts';

/** An error in an expression, with the index of its first character in the source. */
export interface ExpressionFault {
  readonly message: string;
  readonly index: number;
}

/** What is known of an expression before it runs. */
export interface CheckedExpression {
  readonly faults: readonly ExpressionFault[];
  /** Its type in CEL, if there are no faults. */
  readonly type: string;
}

/** Checks the expressions of one scope. */
export type CheckExpression = (source: string) => CheckedExpression;

type Scope = Readonly<Record<string, ScopeType>>;

/** Environments by the names that expressions use; to be shared by scopes in which a name has one type. */
export type TypedEnvironments = Map<string, Environment>;

const base = celEnvironment(expressionLimits);

/** Checks names and types. All unknown names of an expression are reported; its types are checked once there are none. */
export function createExpressionCheck(
  scope: Scope,
  absent: Readonly<Record<string, string>>,
  environments: TypedEnvironments = new Map(),
): CheckExpression {
  const root: ScopeType = { kind: 'object', fields: scope, absent };
  return (source) => {
    const path = parseReferencePath(source);
    if (path) {
      const found = resolveNames(root, path);
      return 'fault' in found ? failed(found.fault, 0) : { faults: [], type: typeNameOf(found.type) };
    }
    try {
      const ast = parseComputed(source);
      const references = referencesOf(ast);
      const faults = checkNames(references, root);
      if (faults.length > 0) return { faults, type: 'dyn' };
      const { valid, type = 'dyn', error } = environmentFor(references, scope, environments).check(source);
      return valid ? { faults: [], type } : failed(reasonOf(error), error?.range?.start ?? 0);
    } catch (error) {
      const at = error instanceof ParseError || error instanceof CelTypeError ? error.range?.start : undefined;
      return failed(reasonOf(error), at ?? 0);
    }
  };
}

function failed(message: string, index: number): CheckedExpression {
  return { faults: [{ message, index }], type: 'dyn' };
}

function checkNames(references: readonly Reference[], root: ScopeType): ExpressionFault[] {
  const asked = references.filter(({ isAsked }) => isAsked).map(({ names }) => names.join('.'));
  return references.flatMap(({ names, start, isAsked }) => {
    const path = names.join('.');
    if (!isAsked && asked.some((known) => path === known || path.startsWith(`${known}.`))) return [];
    const found = resolveNames(root, isAsked ? names.slice(0, -1) : names);
    return 'fault' in found ? [{ message: found.fault, index: start }] : [];
  });
}

/** An environment with what an expression uses: of the steps, which can be many, those that it names. */
function environmentFor(references: readonly Reference[], scope: Scope, known: TypedEnvironments): Environment {
  const roots = new Set(references.map(({ names }) => names[0] ?? ''));
  const steps = new Set(references.flatMap(({ names: [root, name] }) => (root === 'steps' && name ? [name] : [])));
  const key = JSON.stringify([[...roots].toSorted(), [...steps].toSorted()]);
  const environment = known.get(key) ?? environmentOf(scope, { roots, steps });
  known.set(key, environment);
  return environment;
}

function environmentOf(scope: Scope, { roots, steps }: Record<'roots' | 'steps', ReadonlySet<string>>): Environment {
  return [...roots].reduce((environment, name) => {
    const type = scope[name];
    const schema = type ? celSchemaOf(name === 'steps' ? onlyNamed(type, steps) : type) : 'dyn';
    return typeof schema === 'string'
      ? environment.registerVariable(name, schema)
      : environment.registerVariable({ name, schema });
  }, base.clone());
}

function onlyNamed(type: ScopeType, names: ReadonlySet<string>): ScopeType {
  if (type.kind === 'value') return type;
  return { ...type, fields: Object.fromEntries(Object.entries(type.fields).filter(([name]) => names.has(name))) };
}

interface CelSchema {
  [name: string]: string | CelSchema;
}

function celSchemaOf(type: ScopeType): string | CelSchema {
  if (type.kind === 'value') return type.type;
  if (type.type !== undefined) return type.type;
  const fields = Object.entries(type.fields);
  return fields.length === 0 ? 'dyn' : Object.fromEntries(fields.map(([name, field]) => [name, celSchemaOf(field)]));
}

function typeNameOf(type: ScopeType): string {
  return type.kind === 'value' ? type.type : 'map';
}
