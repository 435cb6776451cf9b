import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { administeredPartEndpoints } from './administration/part-endpoints.ts';
import { administrationEndpoints } from './administration/resource-endpoints.ts';
import { mergePatchSchema } from './merge-patch-schema.ts';

const value = z.strictObject({
  name: z.string(),
  count: z.int().min(1).default(1).describe('How many'),
  limits: z.strictObject({ files: z.int().optional(), depth: z.int() }).optional(),
  rules: z.strictObject({ history: z.int().default(0) }).prefault({}),
  list: z.array(z.strictObject({ path: z.string() })).default([]),
  labels: z.record(z.string(), z.string()).default({}),
  from: z.union([z.string(), z.strictObject({ keep: z.literal(true) })]).optional(),
  kind: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('a'), host: z.string() }),
    z.strictObject({ type: z.literal('b'), port: z.int().optional() }),
  ]),
});
const patch = mergePatchSchema(value);

describe('a merge patch', () => {
  it.each([
    {},
    { count: null },
    { count: 2, limits: null },
    { limits: { files: null } },
    { rules: { history: null } },
    { rules: null },
    { list: [{ path: '/a' }] },
    { list: null },
    { labels: { a: 'b', c: null } },
    { from: { keep: true } },
    { kind: { host: 'x' } },
    { kind: { port: null } },
  ])('may be %j', (given) => {
    expect(patch.safeParse(given).error?.issues).toBeUndefined();
    // Nothing that is absent gets a default.
    expect(patch.parse(given)).toEqual(given);
  });

  it.each([
    { name: null },
    { count: 0 },
    { colour: 1 },
    { limits: { depth: null } },
    { limits: { folders: 1 } },
    { list: [{}] },
    { list: [null] },
    { labels: { a: 1 } },
    { kind: null },
    { kind: { host: null } },
    { kind: { type: 'c' } },
    [],
    null,
  ])('is not %j', (given) => {
    expect(patch.safeParse(given).success).toBe(false);
  });

  it('has the descriptions of the settings', () => {
    expect(z.toJSONSchema(patch)).toMatchObject({ properties: { count: { description: 'How many' } } });
    expect(z.toJSONSchema(patch)).not.toHaveProperty('required');
  });
});

const changes = [...administrationEndpoints, ...administeredPartEndpoints].filter(({ method }) => method === 'PATCH');

it.each(changes.map((endpoint) => [endpoint.path, endpoint] as const))('%s documents its patches', (_, { body }) => {
  const documented = body?.kind === 'json' ? body.documented : undefined;
  expect(documented?.safeParse({}).success).toBe(true);
  for (const wrong of [{ name: null }, { name: 7 }, { noSuchSetting: null }]) {
    expect(documented?.safeParse(wrong).success).toBe(false);
  }
});
