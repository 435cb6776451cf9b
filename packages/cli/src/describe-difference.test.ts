import { expect, it } from 'vitest';
import { describeDifference } from './describe-difference.ts';
import { differencesOf } from './difference.ts';

const describe = (before: unknown, after: unknown) => differencesOf(before, after).map(describeDifference);

it('names each innermost value that is another one, with what it was and what it is', () => {
  const before = { enabled: true, limits: { files: 100, bytes: 1 }, groups: ['a'], description: 'x' };
  const after = { enabled: false, limits: { files: 200, bytes: 1 }, groups: ['a', 'b'], description: 'x: y' };
  expect(describe(before, after)).toEqual([
    'enabled: true -> false',
    'limits.files: 100 -> 200',
    'groups: [ a ] -> [ a, b ]',
    'description: x -> "x: y"',
  ]);
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

it('shows the last day of what ends, as a configuration has it, or the instant', () => {
  const [noon, midnight] = ['2030-01-01T12:00:00.000Z', '2030-01-02T00:00:00.000Z'];
  expect(describe({ legacyAlgorithms: { until: noon } }, { legacyAlgorithms: { until: midnight } })).toEqual([
    `legacyAlgorithms.until: ${noon} -> 2030-01-01`,
  ]);
  expect(describe({}, { publicKeys: [{ key: 'k', expires: midnight }] })).toEqual([
    'publicKeys: nothing -> [ { key: k, expires: 2030-01-01 } ]',
  ]);
});

it('tells of an order that is another one', () => {
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  expect(describe({ steps: [a, b] }, { steps: [b, a] })).toEqual([
    'steps: [ { name: a }, { name: b } ] -> [ { name: b }, { name: a } ]',
  ]);
});

it('shows no variable and no parameter of a step, and cuts what is long', () => {
  const lines = [
    ...describe(
      { actions: [{ name: 'a', variables: { t: 'old' } }] },
      { actions: [{ name: 'a', variables: { t: 's3cret' } }] },
    ),
    ...describe({ actions: [] }, { actions: [{ name: 'a', variables: { t: 's3cret' } }] }),
    ...describe({ steps: [{ name: 'a' }] }, { steps: [{ name: 'a', with: { t: 's3cret' } }] }),
    ...describe({ description: '' }, { description: 'x'.repeat(500) }),
  ];
  expect(lines).toEqual([
    'actions[a].variables.t: changed (values are not shown)',
    'actions[a]: nothing -> { name: a, variables: (not shown) }',
    'steps[a].with: changed (values are not shown)',
    `description: "" -> ${'x'.repeat(100)}...`,
  ]);
});
