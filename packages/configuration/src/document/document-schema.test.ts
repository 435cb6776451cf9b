import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { createDocumentSchema, documentSchemaId } from './document-schema.ts';

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
const schema = createDocumentSchema();
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
  .parse(schema);

const rules = rulesSchema.parse(rendered.$defs['parametersOfTasks']?.['allOf']);

const taskOf = (rule: (typeof rules)[number]): string => rule.if.properties.uses.not.const;

/** Whether an editor accepts the parameters of a step. */
function accepts(task: string, parameters: unknown): boolean {
  const $ref = rules.find((rule) => taskOf(rule) === task)?.else.properties.with.$ref ?? '';
  const definition = rendered.$defs[decodeURIComponent($ref.replace('#/$defs/', ''))];
  if (!definition) throw new Error(`the schema has no parameters of ${task}`);
  return z.fromJSONSchema(definition).safeParse(parameters).success;
}

const root = join(import.meta.dirname, '..', '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'recipes.md'), 'utf8');
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

// `fromJSONSchema` knows no `if`, and reads patterns without the flag `u`: parameters of tasks are checked one by one.
const withoutClasses: unknown = JSON.parse(
  JSON.stringify({ ...schema, $defs: { ...rendered.$defs, parametersOfTasks: {} } }, (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' && value.includes('\\p{') ? undefined : value,
  ),
);
const document = z.fromJSONSchema(z.looseObject({}).parse(withoutClasses));
const demo: unknown = parse(readFileSync(join(root, 'deploy', 'demo', 'platform.yaml'), 'utf8'));
const examples = [
  ...readFileSync(join(root, 'docs', 'configuration-file.md'), 'utf8').matchAll(/```yaml\n([\s\S]*?)```/gu),
]
  .map(([, text = '']): unknown => parse(text))
  .filter((example) => typeof example === 'object' && example !== null && 'clusters' in example);

describe('the JSON Schema for editors', () => {
  it('names itself and its dialect', () => {
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: documentSchemaId });
  });

  it('accepts the configurations of the demo and of the docs', () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of [demo, ...examples]) expect(document.safeParse(example).error).toBeUndefined();
  });

  it('accepts lines as keys, blocks of text, and variables in place of texts with a form', () => {
    const publicKey = '-----BEGIN PGP PUBLIC KEY BLOCK-----\nxjME\n-----END PGP PUBLIC KEY BLOCK-----\n';
    const users = [{ name: 'tom', publicKeys: ['ssh-ed25519 AAAA', { key: 'ssh-ed25519 AAAA', expires: '${DAY}' }] }];
    const written = { pgpKeys: [{ name: 'own', publicKey }], actors: [{ name: 'acme', type: 'Partner', users }] };
    expect(document.safeParse(written).error).toBeUndefined();
    const wrong = { name: 'tom', publicKeys: [{ key: 'ssh-ed25519 AAAA', expires: 'DAY' }] };
    expect(document.safeParse({ actors: [{ name: 'acme', type: 'Partner', users: [wrong] }] }).success).toBe(false);
  });

  it.each([
    ['a setting that does not exist', { actors: [{ name: 'acme', type: 'Partner', colour: 'red' }] }],
    ['a value of another type', { clusters: 'none' }],
    ['a section that does not exist', { partners: [] }],
    ['no name', { actors: [{ type: 'Partner' }] }],
  ])('refuses %s', (_, wrong) => {
    expect(document.safeParse({ clusters: [], ...wrong }).success).toBe(false);
    expect(document.safeParse(wrong).success).toBe(false);
  });

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
