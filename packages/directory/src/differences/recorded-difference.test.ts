import { expect, it } from 'vitest';
import { z } from 'zod';
import { type ChangedDefinition, recordedDifference } from './recorded-difference.ts';

const countedSchema = z.object({ after: z.record(z.string(), z.number()), omitted: z.int() });
const nothing = new Set<string>();
const difference = (changed: ChangedDefinition, filled: ReadonlySet<string> = nothing): unknown =>
  JSON.parse(recordedDifference(changed, filled) ?? 'null');

it('has each innermost value that differs by its place, before and after', () => {
  const before = { enabled: true, limits: { files: 100, bytes: 1 }, servers: [{ name: 'a', protocol: 'SFTP' }] };
  const after = { enabled: false, limits: { files: 200, bytes: 1 }, servers: [{ name: 'a', protocol: 'HTTP' }] };
  expect(difference({ before, after })).toEqual({
    before: { enabled: true, 'limits.files': 100, 'servers[a].protocol': 'SFTP' },
    after: { enabled: false, 'limits.files': 200, 'servers[a].protocol': 'HTTP' },
  });
});

it('has one side of what was created, deleted, added or removed', () => {
  expect(difference({ after: { name: 'a', groups: ['g'] } })).toEqual({ after: { name: 'a', groups: ['g'] } });
  expect(difference({ before: { name: 'a' } })).toEqual({ before: { name: 'a' } });
  expect(difference({ before: { acl: [] }, after: { limits: { files: 1 } } })).toEqual({
    before: { acl: [] },
    after: { limits: { files: 1 } },
  });
  expect(recordedDifference({ before: { name: 'a' }, after: { name: 'a' } }, nothing)).toBeUndefined();
  expect(recordedDifference({}, nothing)).toBeUndefined();
});

it.each([
  ['by its name', { apiKey: 's3cret' }],
  ['by its form', { target: 'sftp://me:s3cret@example.org/in' }],
  ['as a long word', { id: 's3cret0123456789abcdefghijklmn' }],
  ['from the environment', { target: 'filled s3cret' }],
  ['inside a list', { list: [{ token: 's3cret' }] }],
])('has no secret that a workflow hands on, known %s, on either side', (_, variables) => {
  const definitions = [{ actions: [{ name: 'a', variables }] }, { steps: [{ name: 'a', with: variables }] }];
  for (const definition of definitions) {
    const filled = new Set(['filled s3cret']);
    const sides = [{ after: definition }, { before: definition }, { before: definition, after: {} }];
    for (const changed of [...sides, { before: {}, after: definition }]) {
      const text = recordedDifference(changed, filled);
      expect(text).not.toContain('s3cret');
      expect(text).toContain('(not shown)');
    }
  }
});

it('has no former value that a workflow handed on, as its origin is unknown, but the new one', () => {
  const variables = (folder: string) => ({ actions: [{ name: 'a', variables: { folder, count: 1 } }] });
  expect(difference({ before: variables('s3cret'), after: variables('/out') })).toEqual({
    before: { 'actions[a].variables.folder': '(not shown)' },
    after: { 'actions[a].variables.folder': '/out' },
  });
});

it('has no value from the environment, no user in an address and no private key anywhere', () => {
  const pem = '-----BEGIN OPENSSH PRIVATE KEY-----\ns3cret';
  const after = {
    description: 's3cret',
    url: 'https://me:s3cret@example.org',
    folders: [pem],
    nested: { text: 's3cret' },
  };
  expect(difference({ after }, new Set(['s3cret']))).toEqual({
    after: {
      description: '(not shown)',
      url: '(not shown)',
      folders: ['(not shown)'],
      nested: { text: '(not shown)' },
    },
  });
});

it('has public keys and references to secrets', () => {
  const after = { publicKeys: [{ key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA' }], password: 'acme-password' };
  expect(difference({ after })).toEqual({ after });
});

it('cuts a long value, and tells different ones apart', () => {
  const long = (end: string) => ({ description: `${'x'.repeat(100_000)}${end}` });
  const text = recordedDifference({ before: long('a'), after: long('b') }, nothing) ?? '';
  expect(text.length).toBeLessThan(1_500);
  const hashes = [...text.matchAll(/\(100003 characters, SHA-256 ([0-9a-f]{64})\)/gu)].map(([, hash]) => hash);
  expect(new Set(hashes).size).toBe(2);
});

it('cuts many values, and says how many places it leaves out', () => {
  const places = Array.from({ length: 10_000 }, (_, index): [string, number] => [`place${index}`, index]);
  const text = recordedDifference({ after: Object.fromEntries(places) }, nothing) ?? '';
  expect(text.length).toBeLessThan(9_000);
  const { after, omitted } = countedSchema.parse(JSON.parse(text));
  expect(Object.keys(after).length + omitted).toBe(10_000);
  expect(Object.keys(after)).toContain('place0');
});

it('keeps places with the names of a prototype', () => {
  const variables = Object.fromEntries([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  expect(recordedDifference({ after: { variables } }, nothing)).toBe(
    '{"after":{"variables":{"__proto__":"x","constructor":"y"}}}',
  );
});
