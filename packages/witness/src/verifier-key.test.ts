import { describe, expect, it } from 'vitest';
import { parseKnownLogs } from './known-logs.ts';
import { parseSignedCheckpoint, verifiedSignatures } from './signed-checkpoint.ts';
import { parseLogKey } from './verifier-key.ts';

/** Examples of the specification (C2SP signed-note), of Go's package, and of Go's checksum database. */
const [foo, peter, go] = [
  'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8',
];
const note =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';

describe('a verifier key', () => {
  it.each([foo, peter, go])('of the specification and of Go is read: %s', (text) => {
    const [name, id] = text.split('+');
    expect(parseLogKey(text)).toMatchObject({ name, id });
  });

  it('verifies the note of the specification, and no other text', () => {
    const [text = '', signatures = ''] = note.split('\n\n');
    const field = Buffer.from(signatures.trimEnd().split(' ')[2] ?? '', 'base64');
    expect(parseLogKey(peter).verify(`${text}\n`, field.subarray(4))).toBe(true);
    expect(parseLogKey(peter).verify(`${text}.\n`, field.subarray(4))).toBe(false);
  });

  it.each([
    '',
    'x',
    'x+y',
    `${foo}x`,
    foo.replace('530d903a', '530d903b'),
    foo.replace('foo', 'bar'),
    foo.replace('+Ae', '+BO'),
  ])('is not read from %j', (text) => {
    expect(() => parseLogKey(text)).toThrow(/^(?:is not|has a key id)/u);
  });
});

describe('the file of known logs', () => {
  it('has a key a line, with another origin after it, and several keys of one log', () => {
    const logs = parseKnownLogs(`# logs\n\n${foo}\n  ${peter} some origin \r\n${go} some origin\n`, 'logs.txt');
    expect([...logs].map(([origin, keys]) => [origin, keys.map(({ name }) => name)])).toEqual([
      ['example.com/foo', ['example.com/foo']],
      ['some origin', ['PeterNeumann', 'sum.golang.org']],
    ]);
  });

  it('that names no log or a wrong key is refused with its line', () => {
    expect(() => parseKnownLogs('# none\n', 'logs.txt')).toThrow('logs.txt names no log');
    expect(() => parseKnownLogs(`${foo}\nx+y\n`, 'logs.txt')).toThrow('logs.txt line 2 is not a verifier key');
  });
});

it('a note that is no checkpoint has none', () => {
  expect(parseSignedCheckpoint(note)).toBeUndefined();
  expect(
    verifiedSignatures({ text: '', origin: '', size: 0, root: Buffer.alloc(32), signatures: [] }, []),
  ).toBeUndefined();
});
