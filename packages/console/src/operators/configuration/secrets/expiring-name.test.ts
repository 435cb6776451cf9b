import { expect, it } from 'vitest';
import { addressOfExpiring } from './expiring-name.tsx';

it.each([
  ['user-ssh-key', 'a/b', 'acme', '', '/configuration/users/a%2Fb?actor=acme'],
  ['legacy-algorithms', 'ann', 'acme', '', '/configuration/users/ann?actor=acme'],
  ['connection-ssh-key', 'bank', null, '', '/configuration/client-connections/bank'],
  ['connection-certificate', 'bank', null, 'CN=CA', '/configuration/client-connections/bank'],
  ['pgp-key', 'bank', 'acme', '', '/configuration/pgp-keys/bank?actor=acme'],
  ['api-key', 'nightly', null, 'olga', '/account'],
  ['api-key', 'nightly', null, 'otto?', '/configuration/manager-users/otto%3F'],
  ['host-key', 'ssh', null, '', '/'],
] as const)('%s leads to its object', (kind, name, actor, detail, address) =>
  expect(addressOfExpiring({ kind, name, actor, detail }, 'olga')).toBe(address),
);
