import { generateKeyPairSync } from 'node:crypto';

/** What is sent as a private key, and a part of the reason for its refusal. */
export type HostileKey = readonly [name: string, make: () => string, reason: string];

const frame = (kind: string, bytes: Buffer): string =>
  `-----BEGIN ${kind}-----\n${bytes.toString('base64')}\n-----END ${kind}-----\n`;

/** `string` of RFC 4251, section 5. */
const text = (value: string): Buffer => Buffer.concat([Buffer.of(0, 0, 0, value.length), Buffer.from(value, 'latin1')]);

/** An encrypted key in OpenSSH's format that says how many rounds it takes to unlock. */
function bcrypt(rounds: string): string {
  const options = text('0123456789abcdef').toString('latin1') + rounds;
  const head = [Buffer.from('openssh-key-v1\0'), ...['aes256-ctr', 'bcrypt', options].map(text)];
  return frame('OPENSSH PRIVATE KEY', Buffer.concat([...head, Buffer.alloc(200)]));
}

const rsa = (modulusLength: number): string =>
  generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const x25519 = (): string =>
  generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';

/** Private keys that a platform does not import. */
export const hostileKeys: readonly HostileKey[] = [
  ['an empty text', () => '', 'must '],
  ['more than 16 KiB', () => 'A'.repeat(16_385), 'must have at most 16384 characters'],
  ['16 KiB of one letter', () => 'A'.repeat(16_384), 'cannot be read'],
  ['16 KiB of headers', () => `-----BEGIN RSA PRIVATE KEY-----\n${'a:b\n'.repeat(4_000)}`, 'cannot be read'],
  ['NUL characters', () => '\0'.repeat(100), 'cannot be read'],
  ['a public key', () => publicKey, 'is a public one'],
  ['two keys', () => rsa(2_048) + rsa(2_048), 'holds several keys'],
  ['half a key', () => rsa(2_048).slice(0, 700), 'cannot be read'],
  ['a short RSA key', () => rsa(1_024), 'is an RSA key of 1024 bits'],
  ['an X25519 key', x25519, 'is neither Ed25519 nor RSA'],
  ['bcrypt with 300 rounds', () => bcrypt('\0\0\u0001\u002c'), 'takes 300 rounds of bcrypt to unlock'],
  ['bcrypt with 2^32 - 1 rounds', () => bcrypt('\u00ff\u00ff\u00ff\u00ff'), 'takes 4294967295 rounds'],
  [
    'a derivation that cannot be read',
    () => frame('ENCRYPTED PRIVATE KEY', Buffer.from('30803080', 'hex')),
    'cannot be read',
  ],
];
