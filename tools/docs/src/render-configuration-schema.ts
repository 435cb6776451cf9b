import { platformConfigurationSchema } from '@waybill/contracts/configuration/platform-configuration';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { z } from 'zod';
import type { GeneratedPage } from './generated-page.ts';

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
});

/**
 * `docs/configuration-schema.json`: the configuration file as a JSON Schema, with which editors check and complete it, also the
 * parameters of tasks. What refers to something else, and expressions, are checked by `waybill plan` alone.
 */
export function renderConfigurationSchema(): GeneratedPage {
  const schema = workflowsSchema.parse(
    z.toJSONSchema(platformConfigurationSchema, { io: 'input', unrepresentable: 'any' }),
  );
  const { properties } = schema.properties.workflowTemplates.items;
  for (const list of stepLists) properties[list].items['allOf'] = [{ $ref: `#/$defs/${parametersOfTasks}` }];
  const rules = { [parametersOfTasks]: { allOf: Object.keys(taskSpecifications).map(parametersOf) } };
  const $defs = { ...schema.$defs, ...rules, ...parameterDefinitions() };
  const described = { title: 'The configuration of a Waybill platform', ...schema, $defs };
  return { path: 'docs/configuration-schema.json', text: `${JSON.stringify(described, undefined, 2)}\n` };
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
