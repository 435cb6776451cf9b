import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { commentOfPublicKeyLine, parsePublicKeyLine, readPublicKeyLine } from './public-key-line.ts';

const part = (content: string | Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(content));
  return Buffer.concat([length, Buffer.from(content)]);
};
const blobOf = (...parts: (string | Buffer)[]): string => Buffer.concat(parts.map(part)).toString('base64');

const point = (curve: string): Buffer =>
  generateKeyPairSync('ec', { namedCurve: curve })
    .publicKey.export({ type: 'spki', format: 'der' })
    .subarray(-{ 'P-256': 65, 'P-384': 97, 'P-521': 133 }[curve]!);
const modulus = Buffer.concat([Buffer.alloc(1), Buffer.alloc(256, 0xff)]);

const blobs: Readonly<Record<string, string>> = {
  'ssh-ed25519': blobOf('ssh-ed25519', Buffer.alloc(32, 7)),
  'ssh-rsa': blobOf('ssh-rsa', Buffer.of(1, 0, 1), modulus),
  'ecdsa-sha2-nistp256': blobOf('ecdsa-sha2-nistp256', 'nistp256', point('P-256')),
  'ecdsa-sha2-nistp384': blobOf('ecdsa-sha2-nistp384', 'nistp384', point('P-384')),
  'ecdsa-sha2-nistp521': blobOf('ecdsa-sha2-nistp521', 'nistp521', point('P-521')),
};
const ed25519 = blobs['ssh-ed25519'] ?? '';

describe('parsePublicKeyLine', () => {
  it.each(Object.entries(blobs))('reads %s, without comment and blanks', (type, blob) => {
    expect(parsePublicKeyLine(`  ${type}  ${blob} me@home, at work\n`)).toBe(`${type} ${blob}`);
  });

  it.each([
    [' me@home, at work\n', 'me@home, at work'],
    ['   ', undefined],
    ['', undefined],
  ])('finds the comment in %j', (rest, comment) => {
    expect(commentOfPublicKeyLine(`ssh-ed25519 ${ed25519}${rest}`)).toBe(comment);
  });

  it.each([
    ['an unknown type', `ssh-dss ${blobOf('ssh-dss', 'key')}`],
    ['options in front', `no-pty ssh-ed25519 ${ed25519}`],
    ['no blob', 'ssh-ed25519'],
    ['nothing', ''],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ])('refuses %s', (_what, line) => {
    expect(readPublicKeyLine(line)).toBeUndefined();
  });
});

describe('a damaged key', () => {
  it.each(Object.entries(blobs))(
    'of type %s is recognized wherever it was cut, and with more behind it',
    (type, blob) => {
      const damaged = { 'ssh-ed25519': 'Ed25519', 'ssh-rsa': 'RSA' }[type] ?? 'ECDSA';
      const unpadded = blob.replace(/=+$/u, '');
      for (let length = 1; length < unpadded.length; length += 1) {
        expect(readPublicKeyLine(`${type} ${unpadded.slice(0, length)}`)).toEqual({ damaged });
        expect(readPublicKeyLine(`${type} ${unpadded.slice(0, length)}${unpadded.slice(length + 1)}`)).toEqual({
          damaged,
        });
      }
      for (const more of ['A', 'AA', 'AAAA']) {
        expect(readPublicKeyLine(`${type} ${unpadded}${more}`)).toEqual({ damaged });
      }
    },
  );

  it.each([
    ['another type in its blob', 'ssh-ed25519', blobOf('ssh-rsa', Buffer.alloc(32))],
    ['a length beyond its end', 'ssh-ed25519', `${ed25519.slice(0, 20)}//////////${ed25519.slice(30)}`],
    ['a key of 33 bytes', 'ssh-ed25519', blobOf('ssh-ed25519', Buffer.alloc(33))],
    ['an empty key', 'ssh-ed25519', blobOf('ssh-ed25519', '')],
    ['a second key', 'ssh-ed25519', blobOf('ssh-ed25519', Buffer.alloc(32), Buffer.alloc(32))],
    ['an empty modulus', 'ssh-rsa', blobOf('ssh-rsa', Buffer.of(1, 0, 1), '')],
    ['the point of another curve', 'ecdsa-sha2-nistp256', blobOf('ecdsa-sha2-nistp256', 'nistp256', point('P-384'))],
    ['the name of another curve', 'ecdsa-sha2-nistp256', blobOf('ecdsa-sha2-nistp256', 'nistp384', point('P-256'))],
    ['a compressed point', 'ecdsa-sha2-nistp256', blobOf('ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(65, 2))],
  ])('has %s', (_what, type, blob) => {
    expect(readPublicKeyLine(`${type} ${blob}`)).toHaveProperty('damaged');
  });
});
