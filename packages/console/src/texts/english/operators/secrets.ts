import { number, plural } from '../../numbers.ts';

/** The texts of the pages of secrets and of what expires, in English. */
export const secrets = {
  title: 'Secrets',
  hint: 'Values can be stored and replaced. No page and no request shows one.',
  none: 'There are no secrets.',
  store: 'Store a secret',
  replace: 'Replace',
  replaceTitle: (name: string) => `Replace ${name}?`,
  storeEffect: 'It is encrypted, and used from the next connection on.',
  value: 'Value',
  valueSize: (value: string) => {
    if (value === '') return 'A password, or several lines such as a private key. Line breaks are kept.';
    const lines = value.split('\n').length;
    const characters = plural(value.length, { one: '1 character', other: `${number(value.length)} characters` });
    return `${plural(lines, { one: '1 line', other: `${number(lines)} lines` })}, ${characters}`;
  },
  chooseFile: 'Or choose a file with the value',
  tooLarge: (most: string) => `The file has more than ${most}: a secret has less.`,
  generateKey: 'Generate an SSH key',
  generate: 'Generate',
  generateEffect:
    'The private key is stored as a secret of this name, and never shown. A secret that is there is not replaced.',
  generatedTitle: (name: string) => `The public key of ${name}`,
  generatedEffect: (name: string) =>
    `Give this line to the partner. Client connections log in with the key as secret://${name}; waybill ssh-key list shows the line again.`,
  fingerprint: 'Fingerprint',
  publicKey: 'Public key',
  keyKind: 'Kind',
  keyKinds: { ed25519: 'Ed25519', ecdsa: 'ECDSA on P-256, for old servers', rsa: 'RSA of 4096 bits, for old servers' },
  keyComment: 'Comment of the public key',
  actor: 'Actor (empty: the platform)',
  platform: 'the platform',
  updated: 'Stored',
  key: 'Encrypted with',
  unused: 'No client connection and no PGP key refers to it.',
  removeEffect: 'These refer to it, and fail without it:',
  expiries: 'Keys and certificates that expire',
  withinDays: 'Within days',
  urgent: ({ count, days }: { readonly count: number; readonly days: number }) => {
    const time = plural(days, { one: '1 day', other: `${number(days)} days` });
    return count === 0 ? `Nothing expires within ${time}.` : `${number(count)} expired, or expire within ${time}.`;
  },
  daysHint: 'The days are a whole number, such as 400.',
  nothingExpires: 'Nothing expires.',
  state: 'State',
  states: { expired: 'expired', soon: 'soon', valid: 'valid' },
  expires: 'Expires',
  unreadable: 'cannot be read',
  kind: 'Kind',
  kinds: {
    'api-key': 'API key',
    'user-ssh-key': 'SSH key of a user',
    'connection-ssh-key': 'SSH key of a client connection',
    'connection-certificate': 'Authority that a client connection trusts',
    'pgp-key': 'PGP key',
    'legacy-algorithms': 'Legacy algorithms of a user',
    'tls-certificate': 'TLS certificate',
    'signing-key': 'Signing key: replace it',
    'host-key': 'SSH host key: replace it',
  },
  connectionExpiries: 'Keys and certificates of this connection that expire',
  noConnectionExpiry: 'Nothing of this connection has an end that is known.',
  detail: 'Detail',
  process: 'Process',
  reported: 'Running processes report certificates and the planned replacement of signing keys.',
} as const;
