import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { z } from 'zod';
import type { CursorContext } from './cursor-context.ts';

/** What can be typed at a place. */
export interface Suggestion {
  readonly text: string;
  /** What it means; may be empty. */
  readonly description: string;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What the JSON Schema of settings knows for the place of a cursor; below `with`, the parameters of the task of the step. */
export function suggestSettings(schema: z.ZodType, context: CursorContext): Suggestion[] {
  const { path, setting, typed, siblings } = context;
  if (path.at(-1) === 'with' && setting === undefined) return suggestParameters(context);
  const root = jsonSchemaOf(schema);
  const around = path.reduce<readonly JsonSchema[]>(
    (nodes, name) => nodes.flatMap((node) => below(node, name)),
    [...variantsOf(root, root)],
  );
  const known = propertiesOf(around);
  const found =
    setting === undefined
      ? [...known]
          .filter(([name]) => !siblings.has(name) || name === typed)
          .map(([name, node]) => ({ text: `${name}: `, description: node.description ?? '' }))
      : valuesOf(variantsOf(known.get(setting) ?? {}, root)).map((text) => ({ text, description: '' }));
  return found.filter(({ text }) => text.toLowerCase().startsWith(typed.toLowerCase())).slice(0, 100);

  function below(node: JsonSchema, name: string): readonly JsonSchema[] {
    if (name === '[]') return variantsOf(Array.isArray(node.items) ? {} : toNode(node.items), root);
    return variantsOf(toNode(node.properties?.[name]), root);
  }
}

/** The parameters of the task of a step. */
function suggestParameters({ typed, siblings, around }: CursorContext): Suggestion[] {
  const task = around.get('uses') ?? '';
  const tasks: Readonly<Record<string, { readonly parameters: z.ZodType }>> = taskSpecifications;
  const specification = Object.hasOwn(tasks, task) ? tasks[task] : undefined;
  if (specification === undefined) return [];
  const root = jsonSchemaOf(specification.parameters);
  return [...propertiesOf(variantsOf(root, root))]
    .filter(([name]) => name.startsWith(typed) && (!siblings.has(name) || name === typed))
    .map(([name, node]) => ({ text: `${name}: `, description: node.description ?? '' }));
}

const converted = new WeakMap<z.ZodType, JsonSchema>();

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = converted.get(schema) ?? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  converted.set(schema, known);
  return known;
}

function toNode(schema: z.core.JSONSchema._JSONSchema | undefined): JsonSchema {
  return typeof schema === 'object' ? schema : {};
}

/** A schema, and everything that it refers to or offers as an alternative. */
function variantsOf(node: JsonSchema, root: JsonSchema, depth = 0): JsonSchema[] {
  if (depth > 8) return [];
  const named = node.$ref?.replace('#/$defs/', '');
  const target = named === undefined ? [] : [toNode(root.$defs?.[named])];
  const others = [...target, ...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])];
  return [node, ...others.flatMap((one) => variantsOf(toNode(one), root, depth + 1))];
}

function propertiesOf(nodes: readonly JsonSchema[]): ReadonlyMap<string, JsonSchema> {
  return new Map(
    nodes.flatMap((node) => Object.entries(node.properties ?? {}).map(([name, property]) => [name, toNode(property)])),
  );
}

function valuesOf(nodes: readonly JsonSchema[]): string[] {
  const values = nodes.flatMap((node) => {
    if (node.type === 'boolean') return ['true', 'false'];
    return [...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const])].map(String);
  });
  return [...new Set(values)];
}
