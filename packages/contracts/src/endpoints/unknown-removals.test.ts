import { expect, it } from 'vitest';
import { z } from 'zod';
import { withUnknownRemovals } from './unknown-removals.ts';

const schema = z.strictObject({
  name: z.string().optional(),
  limits: z.strictObject({ files: z.int().optional() }).prefault({}),
  labels: z.record(z.string(), z.string()).default({}),
  from: z.union([z.string(), z.strictObject({ keep: z.literal(true) })]).optional(),
  kind: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('a'), host: z.string().optional() }),
    z.strictObject({ type: z.literal('b'), port: z.int().optional() }),
  ]),
});

it.each([
  [{ name: null }, {}, {}],
  [{ colour: null }, {}, { colour: null }],
  [{ colour: null, name: 'x' }, { name: 'x' }, { name: 'x', colour: null }],
  [{ limits: { files: null, folders: null } }, { limits: {} }, { limits: { folders: null } }],
  [{ limits: null }, {}, {}],
  [{ labels: { any: null } }, { labels: {} }, { labels: {} }],
  [{ from: { kept: null } }, { from: {} }, { from: { kept: null } }],
  [{ kind: { port: null } }, { kind: { type: 'a' } }, { kind: { type: 'a', port: null } }],
  [{ kind: { port: null } }, { kind: { type: 'b' } }, { kind: { type: 'b' } }],
  [{ colour: { red: null } }, { colour: {} }, { colour: {} }],
  [{ constructor: null }, {}, { constructor: null }],
  [JSON.parse('{"__proto__": null}') as object, {}, JSON.parse('{"__proto__": null}') as object],
])('%j finds the members that there are not', (patch, merged, expected) => {
  const result = withUnknownRemovals(schema, { ...patch }, { ...merged });
  expect(JSON.stringify(result)).toBe(JSON.stringify(expected));
});
