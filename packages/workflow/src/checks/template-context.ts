import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { WorkflowInput } from '@waybill/contracts/configuration/workflow-template';
import type { GrantedRights } from '@waybill/contracts/tasks/granted-right';
import { dataflowContextSchema } from '@waybill/contracts/values/dataflow-context';
import { z } from 'zod';
import { isInteger, outputShapeOf } from '../run/job-scope.ts';
import type { Workflows } from '../run/stored-steps.ts';
import { anything, objectOf, type ScopeType, valueOf } from './scope-type.ts';
import type { WrittenStep, WrittenTemplate } from './template-fault.ts';

/** The VFS of an action, and its rights in others. */
export interface ReachedFiles {
  /** Contract and action: `orders/pack`. */
  readonly title: string;
  readonly vfs: string | undefined;
  readonly grants: readonly GrantedRights[];
}

/** The entities that the steps of an action can name. */
export interface NameableEntities {
  /** `the action orders/pack`. */
  readonly title: string;
  /** The types of the client connections, by their names. */
  readonly connections: ReadonlyMap<string, string>;
  /** Whether PGP keys have a private key, by their names. */
  readonly pgpKeys: ReadonlyMap<string, boolean>;
  /** The contracts of the actor, by their names, each with the triggers of its actions, by theirs. */
  readonly contracts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The actors of all contracts, by the names of the contracts. */
  readonly owners: ReadonlyMap<string, string>;
  /** Whether something of this name may be there that could not be read: nothing is said of what names it. */
  mayExist(entityType: ReferredType, name: string): boolean;
}

type ReferredType = Extract<EntityType, 'Client Connection' | 'PGP Key' | 'Contract' | 'Workflow Template'>;

/** What is known of the jobs of a workflow: those of one action, or of any. */
export interface TemplateContext {
  /** The name of the template. */
  readonly name?: string | undefined;
  /** All templates, for steps that run one; absent if they are not known. */
  readonly workflows?: Workflows<WrittenTemplate> | undefined;
  /** Why there is no file; absent if there is one, or if it is not known. */
  readonly noFile?: string | undefined;
  /** The names of the variables; absent if a submission can give any. */
  readonly variables?: readonly string[] | undefined;
  /** Where the jobs of an action may use files; absent if it is not known. */
  readonly files?: ReachedFiles | undefined;
  /** Absent if it is not known. */
  readonly entities?: NameableEntities | undefined;
  /** Why there are no other variables: `the action orders/pack does not give it`. */
  readonly noVariable?: string | undefined;
}

const text = valueOf('string');

const file = objectOf({
  path: text,
  name: text,
  folder: text,
  stem: text,
  extension: text,
  fileset: text,
  size: valueOf('int'),
});

const job = objectOf({
  id: valueOf('int'),
  contract: text,
  action: text,
  actor: text,
  queue: text,
  submittedBy: text,
  createdAt: text,
  dfiid: text,
  lcid: text,
});

const dfic = objectOf(
  Object.fromEntries(
    Object.keys(dataflowContextSchema.shape).map((name) => [
      name,
      name === 'userAttrs' ? valueOf('map<string, dyn>') : text,
    ]),
  ),
);

const inputTypes = {
  text: 'string',
  integer: 'int',
  boolean: 'bool',
  list: 'list',
  map: 'map<string, dyn>',
} as const satisfies Record<WorkflowInput['type'], string>;

/** What every expression of a workflow can name, besides its steps. */
export function commonScope(
  { noFile, variables, noVariable }: TemplateContext,
  inputs: Readonly<Record<string, WorkflowInput>>,
): { scope: Readonly<Record<string, ScopeType>>; absent: Readonly<Record<string, string>> } {
  const given: ScopeType = variables
    ? {
        kind: 'object',
        fields: Object.fromEntries([...variables, ...Object.keys(inputs)].map((name) => [name, anything])),
        type: 'map<string, dyn>',
        ...(noVariable !== undefined && { otherwise: noVariable }),
      }
    : anything;
  const declared = Object.entries(inputs).map(([name, { type }]) => [name, valueOf(inputTypes[type])] as const);
  const scope = {
    ...(noFile === undefined && { file }),
    variables: given,
    inputs: objectOf(Object.fromEntries(declared)),
    job,
    dfic,
    now: valueOf('google.protobuf.Timestamp'),
  };
  return { scope, absent: noFile === undefined ? {} : { file: noFile } };
}

const stepScopes = new Map<string, ScopeType>();

/**
 * What an expression can name of a step. The outputs of a step with `foreach` are those of its items. `called`: the outputs of the
 * workflow that it runs.
 */
export function stepScope({ uses: task, foreach, name }: WrittenStep, called?: ScopeType): ScopeType {
  if (foreach === undefined)
    return called ? objectOf({ status: text, error: text, outputs: called }) : plainStepScope(task);
  const otherwise = `the step runs once for each item: write steps.${name}.items[0].outputs`;
  return objectOf({
    status: text,
    error: text,
    items: valueOf('list'),
    outputs: { kind: 'object', fields: {}, otherwise },
  });
}

/** An unknown task has any outputs. */
function plainStepScope(task: string): ScopeType {
  const shape = outputShapeOf(task);
  if (!shape) return objectOf({ status: text, error: text, outputs: anything });
  const known = stepScopes.get(task);
  if (known) return known;
  const outputs = Object.entries(shape).map(([name, output]) => [name, outputType(output)] as const);
  const scope = objectOf({ status: text, error: text, outputs: objectOf(Object.fromEntries(outputs)) });
  stepScopes.set(task, scope);
  return scope;
}

/** What failed, in `onError` and `finally`; its texts are empty if nothing has. */
export const errorScope = objectOf({ step: text, message: text });

function outputType(output: z.ZodType): ScopeType {
  if (isInteger(output)) return valueOf('int');
  const { type } = z.toJSONSchema(output, { unrepresentable: 'any' });
  switch (type) {
    case 'string':
      return text;
    case 'integer':
      return valueOf('int');
    case 'number':
      return valueOf('double');
    case 'boolean':
      return valueOf('bool');
    case 'array':
      return valueOf('list');
    default:
      return anything;
  }
}
