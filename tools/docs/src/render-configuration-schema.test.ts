import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { renderConfigurationSchema } from './render-configuration-schema.ts';

const stepSchema = z.looseObject({ uses: z.string().optional(), with: z.record(z.string(), z.unknown()).default({}) });
const otherTaskSchema = z.object({ not: z.object({ const: z.string() }) });
const rulesSchema = z.array(
  z.object({
    if: z.object({ properties: z.object({ uses: otherTaskSchema }) }),
    else: z.object({ properties: z.object({ with: z.object({ $ref: z.string() }) }) }),
  }),
);
const shared = { $ref: '#/$defs/parametersOfTasks' } as const;
const stepsSchema = z.object({
  items: z.looseObject({ allOf: z.tuple([z.object({ $ref: z.literal(shared.$ref) })]) }),
});
const rendered = z
  .object({
    properties: z.looseObject({
      workflowTemplates: z.object({
        items: z.object({
          properties: z.looseObject({ steps: stepsSchema, onError: stepsSchema, finally: stepsSchema }),
        }),
      }),
    }),
    $defs: z.record(z.string(), z.record(z.string(), z.unknown())),
  })
  .parse(JSON.parse(renderConfigurationSchema().text));

const rules = rulesSchema.parse(rendered.$defs['parametersOfTasks']?.['allOf']);

const taskOf = (rule: (typeof rules)[number]): string => rule.if.properties.uses.not.const;

/** Whether an editor accepts the parameters of a step. */
function accepts(task: string, parameters: unknown): boolean {
  const $ref = rules.find((rule) => taskOf(rule) === task)?.else.properties.with.$ref ?? '';
  const definition = rendered.$defs[decodeURIComponent($ref.replace('#/$defs/', ''))];
  if (!definition) throw new Error(`the schema has no parameters of ${task}`);
  return z.fromJSONSchema(definition).safeParse(parameters).success;
}

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'recipes.md'), 'utf8');
const templateSchema = z.looseObject({
  steps: z.array(stepSchema),
  onError: z.array(stepSchema).default([]),
  finally: z.array(stepSchema).default([]),
});
const steps = [...page.matchAll(/```yaml\n([\s\S]*?)```/gu)].flatMap(([, text = '']) =>
  parseAllDocuments(text).flatMap((document) =>
    z
      .looseObject({ workflowTemplates: z.array(templateSchema).default([]) })
      .parse(document.toJS())
      .workflowTemplates.flatMap((template) => [...template.steps, ...template.onError, ...template.finally]),
  ),
);

describe('the JSON Schema for editors', () => {
  it('knows the parameters of every task, in every section', () => {
    const { properties } = rendered.properties.workflowTemplates.items;
    for (const list of [properties.steps, properties.onError, properties.finally]) {
      expect(list.items.allOf).toEqual([shared]);
    }
    expect(rules.map(taskOf)).toEqual(Object.keys(taskSpecifications));
  });

  it('accepts the steps of all recipes', () => {
    expect(steps.length).toBeGreaterThan(30);
    for (const { uses, with: given } of steps) {
      if (uses !== undefined) expect([uses, given, accepts(uses, given)]).toEqual([uses, given, true]);
    }
  });

  it('refuses parameters that a task does not have, and misses those that it needs', () => {
    expect(accepts('gzip', { source: '/a', target: '/b' })).toBe(true);
    expect(accepts('gzip', { soruce: '/a', target: '/b' })).toBe(false);
    expect(accepts('gzip', { source: '/a', target: '/b', more: 1 })).toBe(false);
  });
});
