import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importSshKey } from '../src/import-ssh-key.ts';

let folder: TestFolder;
beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder.remove());

const keyGenerator = 'ssh-keygen';
const passphrase = 'a long one';
let number = 0;

async function keyOf(options: readonly string[], locked = ''): Promise<{ text: string; publicKey: string }> {
  const file = path.join(folder.path, `key-${(number += 1)}`);
  execFileSync(keyGenerator, ['-q', ...options, '-N', locked, '-C', '', '-f', file]);
  const [text, publicKey] = await Promise.all([readFile(file, 'utf8'), readFile(`${file}.pub`, 'utf8')]);
  return { text, publicKey: publicKey.trim() };
}

const imported = (text: string, given?: string) =>
  importSshKey(text, { passphrase: given, variable: 'SSH_KEY_PASSPHRASE', comment: '' });

describe('imports a key', () => {
  it.each([
    ['ed25519', ['-t', 'ed25519']],
    ['ecdsa 256', ['-t', 'ecdsa', '-b', '256']],
    ['ecdsa 521', ['-t', 'ecdsa', '-b', '521']],
    ['rsa 2048', ['-t', 'rsa', '-b', '2048']],
    ['rsa 2048 as PKCS #1', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
    ['rsa 2048 as PKCS #8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8']],
    ['ecdsa 384 as PKCS #8', ['-t', 'ecdsa', '-b', '384', '-m', 'PKCS8']],
  ])('%s, with and without a passphrase', async (_, options) => {
    for (const locked of ['', passphrase]) {
      const { text, publicKey } = await keyOf(options, locked);
      const pair = imported(text, locked === '' ? undefined : locked);
      expect(pair.publicKey).toBe(publicKey);
      // Without its passphrase now, and the same key.
      expect(imported(pair.privateKey).publicKey).toBe(publicKey);
    }
  });

  it('only with its passphrase', async () => {
    for (const options of [
      ['-t', 'ed25519'],
      ['-t', 'rsa', '-b', '2048', '-m', 'PEM'],
      ['-t', 'ecdsa', '-m', 'PKCS8'],
    ]) {
      const { text } = await keyOf(options, passphrase);
      expect(() => imported(text)).toThrow('needs its passphrase: set SSH_KEY_PASSPHRASE');
      expect(() => imported(text, 'another')).toThrow('has another passphrase than SSH_KEY_PASSPHRASE');
    }
  });
});

describe('refuses', () => {
  const pem = (type: 'pkcs1' | 'pkcs8', bits: number) =>
    generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type, format: 'pem' }).toString();
  const dsa = generateKeyPairSync('dsa', { modulusLength: 2_048, divisorLength: 256 });

  it.each([
    ['an RSA key of 1024 bits', () => pem('pkcs1', 1_024), 'is an RSA key of 1024 bits: it needs 2048 or more'],
    ['one in PKCS #8', () => pem('pkcs8', 1_024), 'is an RSA key of 1024 bits'],
    [
      'a DSA key',
      () => dsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'is a DSA key, which is not secure',
    ],
    [
      'an X25519 key',
      () => generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'is neither Ed25519 nor RSA nor ECDSA',
    ],
    [
      'a key on another curve',
      () =>
        generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
      'is neither Ed25519 nor RSA nor ECDSA on a NIST curve',
    ],
    ['nothing', () => '', 'cannot be read'],
    ['blanks', () => ' \n\n', 'cannot be read'],
    ['text', () => 'this is no key', 'cannot be read'],
    ['64 KiB of one letter', () => 'A'.repeat(65_536), 'cannot be read'],
    ["version 3 of PuTTY's format", () => 'PuTTY-User-Key-File-3: ssh-ed25519\n', "is in version 3 of PuTTY's format"],
    ['64 KiB of dashes', () => '-'.repeat(65_536), 'cannot be read'],
    [
      'an empty frame',
      () => '-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----',
      'cannot be read',
    ],
    ['an empty frame of PKCS #8', () => '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----', 'cannot be read'],
    ['a certificate', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'cannot be read'],
  ])('%s', (_, text, message) => {
    expect(() => imported(text())).toThrow(message);
    expect(() => imported(text(), passphrase)).toThrow(/^The private key /u);
  });

  it('a public key, half a key, two keys, and a key with a changed byte, and quotes nothing of them', async () => {
    const { text, publicKey } = await keyOf(['-t', 'ed25519']);
    expect(() => imported(publicKey)).toThrow('is a public one: give the file without .pub');
    expect(() => imported(text + text)).toThrow('holds several keys in place of one');
    const lines = text.trim().split('\n');
    const half = [...lines.slice(0, 3), lines.at(-1)].join('\n');
    expect(() => imported(half)).toThrow('cannot be read');
    expect(() => imported(text.slice(0, 200))).toThrow('cannot be read');
    const secret = lines[3] ?? '';
    try {
      imported(half);
    } catch (error) {
      expect(String(error)).not.toContain(secret.slice(0, 20));
    }
  });
});
