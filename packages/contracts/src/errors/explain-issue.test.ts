import { expect, it } from 'vitest';
import { z } from 'zod';
import { explainIssue, explainRequestIssue, explainSettingIssue } from './explain-issue.ts';

const explain = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: explainIssue }).error?.issues.map(({ message }) => message);

it.each([
  [z.enum(['SFTP', 'HTTP']), 'hunter2', 'must be SFTP or HTTP'],
  [z.enum(['a', 'b', 'c']), 'hunter2', 'must be a, b or c'],
  [z.enum(['a', 'b']), undefined, 'is missing: must be a or b'],
  [z.literal('local'), 'hunter2', 'must be local'],
  [z.discriminatedUnion('type', [z.object({ type: z.enum(['a', 'b']) })]), { type: 'hunter2' }, 'must be a or b'],
  [z.union([z.boolean(), z.number()]), 'hunter2', 'matches none of the allowed forms'],
  [z.string(), undefined, 'is missing'],
  [z.string(), 5, 'must be a text'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.coerce.number(), 'hunter2', 'must be a number'],
  [z.boolean(), 'hunter2', 'must be true or false'],
  [z.date(), 'hunter2', 'must be date'],
  [z.array(z.string()), 'hunter2', 'must be a list'],
  [z.array(z.string()).min(1), [], 'must have at least one entry'],
  [z.array(z.string()).max(2), ['', '', ''], 'must have at most 2 entries'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().max(3), 'hunter2', 'must have at most 3 characters'],
  [z.int().min(1), 0, 'must be at least 1'],
  [z.int().max(9), 10, 'must be at most 9'],
  [z.int().positive(), 0, 'must be more than 0'],
  [z.number().lt(9), 9, 'must be less than 9'],
  [z.object({}), ['hunter2'], 'must be a map of settings'],
  [z.record(z.string(), z.string()), ['hunter2'], 'must be a map of texts by name'],
  [z.strictObject({}), { b: 'hunter2', c: 1 }, 'has unknown settings: b, c'],
  [z.record(z.string().max(2), z.string()), { abc: '' }, 'has an invalid name: must have at most 2 characters'],
  [z.string().max(1), 'hunter2', 'must have at most 1 character'],
  [z.string().regex(/^a/u), 'hunter2', 'has an invalid format'],
])('%#: says what is wrong, and never the value', (schema, value, sentence) => {
  expect(explain(schema, value)).toEqual([sentence]);
});

it('prefers the message of a schema that has one', () => {
  expect(explain(z.string().regex(/^a/u, 'begins with a'), 'b')).toEqual(['begins with a']);
});

it.each([
  [z.object({}), ['hunter2'], 'must be a JSON object'],
  [z.record(z.string(), z.unknown()), ['hunter2'], 'must be a JSON object'],
  [z.strictObject({}), { b: 'hunter2', c: 1 }, 'has unknown names: b, c'],
  [z.string(), undefined, 'is missing'],
])('%#: says of a request what is wrong, and nothing of settings', (schema, value, sentence) => {
  const { error } = schema.safeParse(value, { error: explainRequestIssue });
  expect(error?.issues.map(({ message }) => message)).toEqual([sentence]);
});

it('names a permission only when it is nearly a known one', () => {
  const schema = z.object({ permissions: z.array(z.enum(['list', 'download'])) });
  const explained = (permission: string) =>
    schema.safeParse({ permissions: [permission] }, { error: explainSettingIssue }).error?.issues[0]?.message;
  expect(explained('lst')).toBe('unknown permission lst; did you mean list? Allowed: list, download');
  expect(explained('a secret')).toBe('must be list or download');
});

it('names a key that is not known with the nearest known one, or all of them', () => {
  const schema = z.strictObject({ publicKeys: z.string().optional(), groups: z.string().optional() });
  const explained = (key: string) =>
    schema.safeParse({ [key]: 'x' }, { error: explainSettingIssue }).error?.issues[0]?.message;
  expect(explained('pubKeys')).toBe('unknown key pubKeys; did you mean publicKeys?');
  expect(explained('shape')).toBe('unknown key shape; known are publicKeys, groups');
});
