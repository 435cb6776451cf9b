import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importInThread } from '../src/import-in-thread.ts';
import { importSshKey } from '../src/import-ssh-key.ts';
import { KeyRefusal } from '../src/key-refusal.ts';

let folder: TestFolder;
beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder.remove());

const keyGenerator = 'ssh-keygen';
const passphrase = 'a long one';
let number = 0;

async function keyOf(...options: readonly string[]): Promise<{ text: string; publicKey: string }> {
  const file = path.join(folder.path, `key-${(number += 1)}`);
  execFileSync(keyGenerator, ['-q', ...options, '-C', '', '-f', file]);
  return { text: await readFile(file, 'utf8'), publicKey: (await readFile(`${file}.pub`, 'utf8')).trim() };
}

const options = { passphrase, variable: 'PASSPHRASE', comment: '' };

/** The bytes between the lines of a frame, changed. */
function changed(text: string, change: (bytes: Buffer) => Buffer): string {
  const lines = text.trim().split('\n');
  const bytes = change(Buffer.from(lines.slice(1, -1).join(''), 'base64'));
  return [lines[0], ...(bytes.toString('base64').match(/.{1,70}/gu) ?? []), lines.at(-1), ''].join('\n');
}

/** A file that has the public point of another key, which is at the end of its line, everywhere. */
function withPointOf(other: string, { text, publicKey }: { text: string; publicKey: string }, bytes: number): string {
  const pointOf = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64').subarray(-bytes);
  const forged = changed(text, (content) => {
    for (let at = content.indexOf(pointOf(publicKey)); at !== -1; at = content.indexOf(pointOf(publicKey), at + 1)) {
      pointOf(other).copy(content, at);
    }
    return content;
  });
  expect(forged).not.toBe(text);
  return forged;
}

/** DER (X.690, section 8). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const long = content.length < 0x80 ? Buffer.of(content.length) : Buffer.concat([Buffer.of(0x84), length]);
  return Buffer.concat([Buffer.of(tag), long, content]);
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const integer = (hex: string) => der(0x02, Buffer.from(hex, 'hex'));
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const salt = der(0x04, Buffer.alloc(16, 1));
const aes = sequence(oid('60864801650304012a'), der(0x04, Buffer.alloc(16, 2)));

/** An encrypted key of PKCS #8 whose passphrase is hashed in this way (RFC 8018, PBES2). */
function encrypted(derivation: Buffer): string {
  const algorithm = sequence(oid('2a864886f70d01050d'), sequence(derivation, aes));
  const whole = sequence(algorithm, der(0x04, Buffer.alloc(64, 3)));
  return `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${whole.toString('base64')}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
}
const pbkdf2 = (...numbers: string[]) => sequence(oid('2a864886f70d01050c'), sequence(salt, ...numbers.map(integer)));
const scrypt = (...numbers: string[]) => sequence(oid('2b06010401da47040b'), sequence(salt, ...numbers.map(integer)));

describe('a key that costs much to unlock is refused at once', () => {
  const tooMany = 'takes more than 1000000 iterations to unlock';

  it.each([
    ['PBKDF2 with 2^31 - 1 iterations', encrypted(pbkdf2('7fffffff')), tooMany],
    ['PBKDF2 with one iteration too many, and the length of the key', encrypted(pbkdf2('0f4241', '20')), tooMany],
    ['PBKDF2 with a number of five bytes', encrypted(pbkdf2('0100000000')), tooMany],
    ['scrypt with a large N', encrypted(scrypt('00800000', '08', '01')), tooMany],
    ['scrypt with a large p', encrypted(scrypt('4000', '08', '1000')), tooMany],
    ['a length that is not definite', encrypted(Buffer.from('3080', 'hex')), 'cannot be read'],
    ['a length beyond the end', encrypted(Buffer.from('3084ffffffff', 'hex')), 'cannot be read'],
    [
      'deep nesting',
      encrypted(Array.from({ length: 2_000 }).reduce<Buffer>((inner) => sequence(inner), pbkdf2('7fffffff'))),
      'cannot be read',
    ],
  ])('%s', async (_, text, message) => {
    const start = performance.now();
    await expect(importInThread(text, options)).rejects.toThrow(message);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('bcrypt with more than 100 rounds, also if the file only says so', async () => {
    const { text } = await keyOf('-t', 'ed25519', '-N', passphrase, '-a', '4');
    for (const rounds of [101, 500, 2 ** 32 - 1]) {
      const costly = changed(text, (bytes) => {
        const rest = bytes.indexOf('bcrypt') + 'bcrypt'.length + 4 + 4 + 16;
        expect(bytes.readUInt32BE(rest)).toBe(4);
        bytes.writeUInt32BE(rounds, rest);
        return bytes;
      });
      const start = performance.now();
      await expect(importInThread(costly, options)).rejects.toThrow(`takes ${rounds} rounds of bcrypt to unlock`);
      expect(performance.now() - start).toBeLessThan(10_000);
    }
  });

  it('and others are read in a thread, with the same result', async () => {
    const { text, publicKey } = await keyOf('-t', 'ed25519', '-N', passphrase, '-a', '1');
    expect((await importInThread(text, options)).publicKey).toBe(publicKey);
    const missing = importInThread(text, { ...options, passphrase: undefined });
    await expect(missing).rejects.toMatchObject({
      about: 'passphrase',
      message: expect.stringContaining('PASSPHRASE'),
    });
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
    const pem = rsa.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString();
    expect((await importInThread(pem, options)).publicKey).toMatch(/^ssh-rsa /u);
  });
});

describe('the public key is derived, and not read', () => {
  it('of an Ed25519 file whose public parts are those of another key', async () => {
    const [own, other] = [await keyOf('-t', 'ed25519', '-N', ''), await keyOf('-t', 'ed25519', '-N', '')];
    const forged = withPointOf(other.publicKey, own, 32);
    expect(importSshKey(forged, options).publicKey).toBe(own.publicKey);
  });

  it('of an ECDSA file with the point of another key, which is refused', async () => {
    const [own, other] = [await keyOf('-t', 'ecdsa', '-N', ''), await keyOf('-t', 'ecdsa', '-N', '')];
    const forged = withPointOf(other.publicKey, own, 65);
    expect(() => importSshKey(forged, options)).toThrow('its public part does not belong to the private one');
  });

  it.each([
    ['another modulus', (own: Rsa, other: Rsa) => ({ ...own, n: other.n })],
    ['the private exponent of another key', (own: Rsa, other: Rsa) => ({ ...own, d: other.d })],
    ['the exponent 1', (own: Rsa) => ({ ...own, e: 'AQ', d: 'AQ' })],
    ['factors that are longer than the modulus', (own: Rsa) => ({ ...own, p: own.n, q: own.n })],
    ['no factors', (own: Rsa) => ({ ...own, p: 'AQ', q: own.n })],
  ])('of an RSA file with %s, which is refused', (_, forge) => {
    const forged = pkcs1(forge(rsaOf(2_048), rsaOf(2_048)));
    expect(() => importSshKey(forged, options)).toThrow('its public part does not belong to the private one');
  });

  it('of an RSA file with a modulus that SSH servers do not accept, which is refused quickly', () => {
    const own = rsaOf(2_048);
    const huge = Buffer.alloc(8_192, 0xff).toString('base64url');
    const start = performance.now();
    expect(() => importSshKey(pkcs1({ ...own, n: huge }), options)).toThrow('SSH servers accept at most 16384');
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

it.each([
  ['ed25519', ['-t', 'ed25519', '-N', '']],
  ['ecdsa', ['-t', 'ecdsa', '-N', '']],
  ['rsa', ['-t', 'rsa', '-b', '2048', '-N', '']],
  ['rsa as PKCS #1', ['-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', '']],
  ['ecdsa as PKCS #8', ['-t', 'ecdsa', '-m', 'PKCS8', '-N', '']],
])('every damaged %s file is refused in a sentence, or is a key', async (_, made) => {
  const { text } = await keyOf(...made);
  for (let round = 0; round < 200; round += 1) {
    const at = (round * 7_919) % 65_536;
    const damaged = [
      changed(text, (bytes) => {
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << (round % 8));
        return bytes;
      }),
      changed(text, (bytes) => bytes.subarray(0, at % bytes.length)),
      text.slice(0, at % text.length),
    ];
    for (const one of damaged) expectRefusalOrKey(one);
  }
});

function expectRefusalOrKey(text: string): void {
  try {
    expect(importSshKey(text, options).publicKey).toMatch(/^(?:ssh|ecdsa)-/u);
  } catch (error) {
    expect(error).toBeInstanceOf(KeyRefusal);
    expect(String(error)).toMatch(/^CodedError: The private key [a-z][^\n]+$/u);
  }
}

const rsaFields = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const;
type Rsa = Readonly<Record<(typeof rsaFields)[number], string>>;

function rsaOf(modulusLength: number): Rsa {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return privateKey.export({ format: 'jwk' }) as Rsa;
}

/** `RSAPrivateKey` of RFC 8017. */
function pkcs1(key: Rsa): string {
  const numbers = rsaFields.map((field) => integer(`00${Buffer.from(key[field], 'base64url').toString('hex')}`));
  const body = sequence(integer('00'), ...numbers).toString('base64');
  const lines = body.match(/.{1,64}/gu) ?? [];
  return ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----', ''].join('\n');
}
