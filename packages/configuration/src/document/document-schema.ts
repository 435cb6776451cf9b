import { platformConfigurationSchema } from '@waybill/contracts/configuration/platform-configuration';
import { publicKeySchema } from '@waybill/contracts/configuration/user-configuration';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { z } from 'zod';

const stepLists = ['steps', 'onError', 'finally'] as const;

const workflowsSchema = z.looseObject({
  properties: z.looseObject({
    workflowTemplates: z.looseObject({
      items: z.looseObject({
        properties: z.looseObject({
          steps: z.looseObject({ items: z.looseObject({}) }),
          onError: z.looseObject({ items: z.looseObject({}) }),
          finally: z.looseObject({ items: z.looseObject({}) }),
        }),
      }),
    }),
  }),
  $defs: z.looseObject({}),
  $schema: z.string(),
});

/** Names the schema in every place that it is read from; it is no address. */
export const documentSchemaId = 'urn:waybill:configuration-schema';

/**
 * A document of the configuration as a JSON Schema, with which editors check and complete it, also the parameters of tasks. What
 * refers to something else, and expressions, are checked by `waybill validate` and `waybill plan` alone.
 */
export function createDocumentSchema(): Record<string, unknown> {
  const converted = z.toJSONSchema(platformConfigurationSchema, { io: 'input', unrepresentable: 'any', override });
  const { $schema, ...schema } = workflowsSchema.parse(converted);
  const { properties } = schema.properties.workflowTemplates.items;
  for (const list of stepLists) properties[list].items['allOf'] = [{ $ref: `#/$defs/${parametersOfTasks}` }];
  const rules = { [parametersOfTasks]: { allOf: Object.keys(taskSpecifications).map(parametersOf) } };
  const $defs = { ...schema.$defs, [variable]: variableSchema, ...rules, ...parameterDefinitions() };
  return { $schema, $id: documentSchemaId, title: 'The configuration of a Waybill platform', ...schema, $defs };
}

const variable = 'variable';

const variableSchema = { description: 'A text with a variable, such as `${NAME}`', type: 'string', pattern: '\\$\\{' };

/** Where a text has a form, a text with a variable may stand in its place; and keys may be lines. */
function override({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: Record<string, unknown>;
}): void {
  if (zodSchema === publicKeySchema) return offer(jsonSchema, { type: 'string' });
  const { type, format, pattern, allOf } = jsonSchema;
  if (type !== 'string' || [format, pattern, allOf].every((each) => each === undefined)) return;
  if (typeof pattern === 'string' && isTrimmed(zodSchema)) jsonSchema['pattern'] = withBlankEnds(pattern);
  offer(jsonSchema, { $ref: `#/$defs/${variable}` });
}

function isTrimmed({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.checks?.some((check) => check._zod.def.check === 'overwrite') ?? false;
}

/** Blocks of YAML end with a line break, which is removed before the pattern counts. */
function withBlankEnds(pattern: string): string {
  return pattern.replace(/^\^/u, '^\\s*').replace(/\$$/u, '\\s*$');
}

function offer(jsonSchema: Record<string, unknown>, alternative: object): void {
  const own = Object.entries(jsonSchema).filter(([name]) => !['description', 'default'].includes(name));
  for (const [name] of own) Reflect.deleteProperty(jsonSchema, name);
  jsonSchema['anyOf'] = [Object.fromEntries(own), alternative];
}

const parametersOfTasks = 'parametersOfTasks';

const definitionOf = (task: string): string => `parameters of ${task}`;

/** A step with a task has the parameters of this task. */
function parametersOf(task: string) {
  return {
    if: { properties: { uses: { not: { const: task } } } },
    else: { properties: { with: { $ref: `#/$defs/${encodeURIComponent(definitionOf(task))}` } } },
  };
}

const parametersSchema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })),
  required: z.array(z.string()).default([]),
});

/** The parameters of each task by their names. An expression may stand for a value of any type. */
function parameterDefinitions(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(taskSpecifications).map(([task, { summary, parameters }]) => {
      const converted = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' });
      const { properties, required } = parametersSchema.parse(converted);
      const described = Object.entries(properties).map(([name, { description }]): [string, object] => [
        name,
        description === undefined ? {} : { description },
      ]);
      const definition = { type: 'object', properties: Object.fromEntries(described), required };
      return [definitionOf(task), { description: summary, ...definition, additionalProperties: false }];
    }),
  );
}
