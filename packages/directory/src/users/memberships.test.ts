import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAllowedFrom } from './allowed-networks.ts';
import { combineMemberships, type DefinedGroup } from './memberships.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const [ended, later, latest] = ['2026-03-01T12:00:00.000Z', '2026-03-02T00:00:00.000Z', '2027-01-01T00:00:00.000Z'];
const group = (name: string, settings: Partial<DefinedGroup> = {}): DefinedGroup => ({
  name,
  enabled: true,
  expires: null,
  networks: null,
  maxSessions: null,
  ...settings,
});
const member = { groups: ['a', 'b', 'undefined'], networks: null, maxSessions: null };

test('groups without settings, and without a definition, give what names them and limit nothing', () => {
  expect(combineMemberships(member, [group('a'), group('b')], nowMs)).toEqual({
    groups: ['a', 'b', 'undefined'],
    endedGroups: [],
    networks: [],
    maxSessions: null,
    groupsExpire: undefined,
  });
});

test('a disabled group and an expired one give nothing, and say why', () => {
  const defined = [group('a', { enabled: false, expires: later }), group('b', { expires: ended })];
  expect(combineMemberships(member, defined, nowMs)).toMatchObject({
    groups: ['undefined'],
    endedGroups: [
      { name: 'a', why: 'is disabled' },
      { name: 'b', why: `has expired at ${ended}` },
    ],
    groupsExpire: undefined,
  });
});

test('the next end is that of the group that ends first, among those that have not ended', () => {
  const defined = [group('a', { expires: latest }), group('b', { expires: later }), group('c', { expires: ended })];
  expect(combineMemberships(member, defined, nowMs).groupsExpire).toBe(later);
});

test('what a user sets replaces what groups set, and what groups set adds up to the narrowest', () => {
  const defined = [
    group('a', { networks: ['10.0.0.0/8'], maxSessions: 5 }),
    group('b', { networks: ['10.1.0.0/16'], maxSessions: 2 }),
  ];
  expect(combineMemberships(member, defined, nowMs)).toMatchObject({
    networks: [
      { group: 'a', networks: ['10.0.0.0/8'] },
      { group: 'b', networks: ['10.1.0.0/16'] },
    ],
    maxSessions: 2,
  });
  const own = { ...member, networks: ['192.0.2.1'], maxSessions: 9 };
  expect(combineMemberships(own, defined, nowMs)).toMatchObject({
    networks: [{ group: undefined, networks: ['192.0.2.1'] }],
    maxSessions: 9,
  });
});

const groupArbitrary = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  enabled: fc.boolean(),
  expires: fc.constantFrom(null, ended, later),
  networks: fc.constantFrom(null, ['10.0.0.0/8'], ['10.0.0.0/8', '::1'], ['192.0.2.1']),
  maxSessions: fc.constantFrom(null, 1, 7),
});
const ownArbitrary = fc.record({
  groups: fc.constant(['a', 'b', 'c']),
  networks: fc.constantFrom(null, ['10.1.0.0/16']),
  maxSessions: fc.constantFrom(null, 3),
});

test('one more group with settings never widens from where and how often a user logs in, and that it ends never does', () => {
  const groupsArbitrary = fc.uniqueArray(groupArbitrary, { selector: ({ name }) => name, minLength: 1 });
  fc.assert(
    fc.property(ownArbitrary, groupsArbitrary, (own, [one, ...others]) => {
      const before = combineMemberships(own, others, nowMs);
      const after = combineMemberships(own, [...others, ...(one ? [one] : [])], nowMs);
      for (const address of ['10.1.0.1', '10.2.0.1', '192.0.2.1', '::1', '203.0.113.1']) {
        expect(isAllowedFrom(after.networks, address) && !isAllowedFrom(before.networks, address)).toBe(false);
      }
      expect(after.maxSessions ?? Infinity).toBeLessThanOrEqual(before.maxSessions ?? Infinity);
      const over = [...others, ...(one ? [{ ...one, enabled: false }] : [])];
      const { networks, maxSessions } = combineMemberships(own, over, nowMs);
      expect({ networks, maxSessions }).toEqual({ networks: after.networks, maxSessions: after.maxSessions });
    }),
  );
});
