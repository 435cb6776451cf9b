import { differencesOf } from '@waybill/directory/differences/difference';
import { expect, it } from 'vitest';
import { describeDifference } from './describe-difference.ts';

const describe = (before: unknown, after: unknown) =>
  differencesOf(before, after).map((difference) => describeDifference(difference, new Set()));

it('names each innermost value that differs, with its old and its new value', () => {
  const before = { enabled: true, limits: { files: 100, bytes: 1 }, groups: ['a'], description: 'x' };
  const after = { enabled: false, limits: { files: 200, bytes: 1 }, groups: ['a', 'b'], description: 'x: y' };
  expect(describe(before, after)).toEqual([
    'enabled: true -> false',
    'limits.files: 100 -> 200',
    'groups: [ a ] -> [ a, b ]',
    'description: x -> "x: y"',
  ]);
});

it('shows a text with line breaks in one line, which cannot be taken for another change', () => {
  const description = `a text of more than forty characters, with\r\n- Actor acme\n`;
  const lines = describe({ description: 'x' }, { description });
  expect(lines).toEqual(['description: x -> "a text of more than forty characters, with\\r\\n- Actor acme\\n"']);
});

it('shows what was not there before and what is not there any more', () => {
  expect(describe({ limits: { files: 1 } }, { retention: { hoursAfterPut: 24 } })).toEqual([
    'limits: { files: 1 } -> nothing',
    'retention: nothing -> { hoursAfterPut: 24 }',
  ]);
});

it('compares entries of a list with their namesakes, or by their places where they have no name', () => {
  const servers = [{ name: 'a', protocol: 'SFTP' }];
  const more = [{ name: 'b', protocol: 'HTTP' }, ...servers];
  expect(describe({ servers }, { servers: more })).toEqual(['servers[b]: nothing -> { name: b, protocol: HTTP }']);
  expect(describe({ acl: [{ path: '/in', grants: [] }] }, { acl: [{ path: '/in', grants: [{ user: 'a' }] }] })).toEqual(
    ['acl[/in].grants[0]: nothing -> { user: a }'],
  );
  expect(describe({ clauses: [{ vfs: 'a' }] }, { clauses: [{ vfs: 'b' }] })).toEqual(['clauses[0].vfs: a -> b']);
  const twice = [{ name: 'a' }, { name: 'a', x: 1 }];
  expect(describe({ servers }, { servers: twice })).toHaveLength(1);
});

it('shows an expiry as the configured last day, or as the instant', () => {
  const [noon, midnight] = ['2030-01-01T12:00:00.000Z', '2030-01-02T00:00:00.000Z'];
  expect(describe({ legacyAlgorithms: { until: noon } }, { legacyAlgorithms: { until: midnight } })).toEqual([
    `legacyAlgorithms.until: ${noon} -> 2030-01-01`,
  ]);
  expect(describe({}, { publicKeys: [{ key: 'k', expires: midnight }] })).toEqual([
    'publicKeys: nothing -> [ { key: k, expires: 2030-01-01 } ]',
  ]);
});

it('reports a changed order', () => {
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  expect(describe({ steps: [a, b] }, { steps: [b, a] })).toEqual([
    'steps: [ { name: a }, { name: b } ] -> [ { name: b }, { name: a } ]',
  ]);
});

it('compares public keys by what they are, not by their places', () => {
  const key = (blob: string) => ({ key: `ssh-ed25519 ${blob}`, comment: blob });
  const [one, other, third] = ['AAAA', 'BBBB', 'CCCC'].map(key);
  const keys = (...publicKeys: unknown[]) => ({ publicKeys });
  const [line = '', ...more] = describe(keys(one, other), keys(third, one, other));
  expect(more).toEqual([]);
  expect(line).toMatch(/^publicKeys\[SHA256:\S{43}\]: nothing -> \{ key: ssh-ed25519 CCCC, comment: CCCC \}$/u);
  const ending = { ...other, expires: '2030-01-02T00:00:00.000Z' };
  expect(describe(keys(one, other), keys(one, ending))).toEqual([
    expect.stringMatching(/^publicKeys\[SHA256:\S{43}\]\.expires: nothing -> 2030-01-01$/u),
  ]);
});

it('shows ordinary variables and parameters of steps', () => {
  const variables = (values: object) => ({ actions: [{ name: 'a', variables: values }] });
  expect(describe(variables({ target: '/out' }), variables({ target: '/done', suffix: '.csv' }))).toEqual([
    'actions[a].variables.target: /out -> /done',
    'actions[a].variables.suffix: nothing -> .csv',
  ]);
  expect(describe(variables({ target: '/out' }), variables({}))).toEqual([
    'actions[a].variables.target: (not shown) -> nothing',
  ]);
  expect(
    describe({ steps: [{ name: 'a' }] }, { steps: [{ name: 'a', with: { path: '/out/${{ file.name }}' } }] }),
  ).toEqual(['steps[a].with: nothing -> { path: "/out/${{ file.name }}" }']);
});

it('shows no variable and no parameter that may be a secret', () => {
  const variables = (values: object) => ({ actions: [{ name: 'a', variables: values }] });
  for (const [name, value] of [
    ['password', 's3cret'],
    ['apiKey', 's3cret'],
    ['API_TOKEN', 's3cret'],
    ['target', 'sftp://me:s3cret@example.org/in'],
    ['text', '-----BEGIN PRIVATE KEY-----s3cret'],
    ['id', 's3cret0123456789abcdefghijklmn'],
    ['fromEnvironment', 's3cret'],
  ] as const) {
    const filled = new Set(['s3cret']);
    const pairs = [
      [variables({ [name]: 'old' }), variables({ [name]: value })],
      [variables({ [name]: value }), variables({ [name]: 'new' })],
      [{ actions: [] }, variables({ [name]: value })],
      [{ steps: [{ name: 'a' }] }, { steps: [{ name: 'a', with: { [name]: value } }] }],
    ];
    for (const [before, after] of pairs) {
      const text = differencesOf(before, after)
        .map((difference) => describeDifference(difference, filled))
        .join('\n');
      expect(text).not.toContain('s3cret');
      expect(text).toMatch(/not shown/u);
    }
  }
});

it('cuts what is long', () => {
  expect(describe({ description: '' }, { description: 'x y'.repeat(500) })).toEqual([
    `description: "" -> ${'x y'.repeat(500).slice(0, 100)}...`,
  ]);
});
