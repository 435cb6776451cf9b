import { userNameSchema } from '@waybill/contracts/values/user-name';
import { expect, test } from 'vitest';
import type { PartnerUser } from '../users/partner-user.ts';
import { type PublicKeyLine, parsePublicKeyLine } from '../users/public-key-line.ts';
import { expiryOfLogin, proofOfLogin, whyLoginEnded } from './login-proof.ts';

const keyNamed = (name: string): PublicKeyLine => {
  const type = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20');
  const line = parsePublicKeyLine(
    `ssh-ed25519 ${Buffer.concat([type, Buffer.from(name.padEnd(32))]).toString('base64')}`,
  );
  if (line === undefined) throw new Error(`${name} makes no key`);
  return line;
};
const key = keyNamed('one');
const user: PartnerUser = {
  id: '1',
  name: userNameSchema.parse('acme'),
  actorId: '1',
  actorName: 'acme',
  passwordHash: '$argon2id$one',
  publicKeys: [{ key }, { key: keyNamed('two') }],
  authentication: 'either',
  legacyAlgorithms: undefined,
  groups: [],
  endedGroups: [],
  groupsExpire: undefined,
  maxSessions: null,
  networks: [],
  expires: undefined,
  enabled: true,
  loginEpoch: 3,
  accessVersion: 1,
};
const of = (...networks: string[]) => [{ group: undefined, networks }];
const addresses = ['10.0.0.1', '10.0.0.2'];
const proofs = {
  password: proofOfLogin(user, { password: true, addresses }),
  key: proofOfLogin(user, { password: false, key, addresses }),
  both: proofOfLogin(user, { password: true, key, addresses }),
};
const all = ['password', 'key', 'both'] as const;
type Proof = (typeof all)[number];

test.each<[string, Partial<PartnerUser>, readonly Proof[]]>([
  ['nothing has changed', {}, all],
  ['the groups are others', { groups: ['clerks'], maxSessions: 1, accessVersion: 9 }, all],
  ['the user is disabled', { enabled: false }, []],
  ['the user was frozen and thawed', { loginEpoch: 4 }, []],
  ['the password is another one', { passwordHash: '$argon2id$two' }, ['key']],
  ['there is no password any more', { passwordHash: undefined }, ['key']],
  ['another user has the name', { id: '2' }, ['key']],
  ['the key was removed', { publicKeys: [{ key: keyNamed('two') }] }, ['password']],
  ['another key was removed', { publicKeys: [{ key }] }, all],
  ['the key has expired', { publicKeys: [{ key, expires: '2001-01-01T00:00:00Z' }] }, ['password']],
  ['the key expires later', { publicKeys: [{ key, expires: '2999-01-01T00:00:00Z' }] }, all],
  ['the account has expired', { expires: '2001-01-01T00:00:00Z' }, []],
  ['the account expires later', { expires: '2999-01-01T00:00:00Z' }, all],
  ['the networks have both addresses', { networks: of('192.0.2.0/24', '10.0.0.0/8') }, all],
  ['the networks have one of the addresses only', { networks: of('10.0.0.1') }, []],
  ['the networks of a group have none of the addresses', { networks: [...of('10.0.0.0/8'), ...of('11.0.0.0/8')] }, []],
  ['logins take a password', { authentication: 'password' }, ['password', 'both']],
  ['logins take a key', { authentication: 'key' }, ['key', 'both']],
  ['logins take both', { authentication: 'both' }, ['both']],
])('when %s', (_, change, good) => {
  const now = { ...user, ...change };
  expect(all.filter((name) => whyLoginEnded(now, proofs[name]) === undefined)).toEqual(good);
});

test('no login of a removed user is valid', () => {
  for (const name of all) expect(whyLoginEnded(undefined, proofs[name])).toBe('the user was removed');
});

test('a login with nothing proved never holds', () => {
  for (const authentication of ['password', 'key', 'both', 'either'] as const) {
    expect(whyLoginEnded({ ...user, authentication }, { loginEpoch: 3, addresses })).toBeDefined();
  }
});

test('a proof does not reveal the hash of the password', () => {
  expect(JSON.stringify(proofs)).not.toContain('argon2id');
});

test('a login is looked at again when a group of its user ends', () => {
  const groupsExpire = '2030-01-01T00:00:00Z';
  for (const name of all) expect(expiryOfLogin({ ...user, groupsExpire }, proofs[name])).toBe(Date.parse(groupsExpire));
});

test('a login expires with its key or its account, whichever is earlier', () => {
  const expires = '2030-01-01T00:00:00Z';
  const timed = { ...user, publicKeys: [{ key, expires }] };
  expect(expiryOfLogin(timed, proofs.key)).toBe(Date.parse(expires));
  expect(expiryOfLogin(timed, proofs.password)).toBe(Infinity);
  expect(expiryOfLogin(user, proofs.key)).toBe(Infinity);
  const ended = '2029-01-01T00:00:00Z';
  for (const name of all) expect(expiryOfLogin({ ...timed, expires: ended }, proofs[name])).toBe(Date.parse(ended));
  expect(expiryOfLogin({ ...timed, expires: '2031-01-01T00:00:00Z' }, proofs.key)).toBe(Date.parse(expires));
});
