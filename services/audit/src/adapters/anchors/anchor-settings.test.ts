import { generateKeyPairSync, hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anchorListSchema } from './anchor-settings.ts';

const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const keyOf = (type: number) => {
  const key = Buffer.concat([Buffer.from([type]), Buffer.from(x, 'base64url')]);
  const id = hash('sha256', Buffer.concat([Buffer.from('witness.example/w1\n'), key]), 'hex').slice(0, 8);
  return `witness.example/w1+${id}+${key.toString('base64')}`;
};

const messagesOf = (text: string) => anchorListSchema.safeParse(text).error?.issues.map(({ message }) => message);

describe('AUDIT_ANCHORS', () => {
  it('is a list of anchors, separated by blanks, line ends or commas', () => {
    const text = `file:/mnt/other/waybill/checkpoint, s3://bucket/a/b?region=eu-central-1&lock-days=365
      https://anchor.example/waybill?site=1&token-file=/run/token&method=POST\n\thttp://127.0.0.1:80/x?token-file=/t
      witness+https://witness.example/prefix/?key=${keyOf(4)} s3://minio/key?endpoint=http://minio:9000&path-style=true`;
    expect(anchorListSchema.parse(text)).toMatchObject([
      { kind: 'file', name: 'file:/mnt/other/waybill/checkpoint', file: '/mnt/other/waybill/checkpoint' },
      { kind: 's3', name: 's3://bucket/a/b', bucket: 'bucket', key: 'a/b', region: 'eu-central-1', 'lock-days': 365 },
      {
        kind: 'http',
        name: 'https://anchor.example/waybill',
        url: 'https://anchor.example/waybill?site=1',
        'token-file': '/run/token',
        method: 'POST',
      },
      { kind: 'http', url: 'http://127.0.0.1:80/x', method: 'PUT' },
      { kind: 'witness', name: 'witness.example/w1', url: 'https://witness.example/prefix' },
      { kind: 's3', endpoint: 'http://minio:9000', 'path-style': 'true' },
    ]);
    expect(anchorListSchema.parse(' ,\n')).toEqual([]);
    expect(anchorListSchema.parse('file:///mnt/checkpoint')).toMatchObject([{ file: '/mnt/checkpoint' }]);
  });

  it.each([
    ['file:relative', 'names file:relative, which is not file:/<absolute path>'],
    ['s3://bucket', 'names s3://bucket, which is not s3://<bucket>/<key>'],
    ['s3://bucket/key?colour=red', 'names s3://bucket/key, whose option'],
    ['s3://bucket/key?lock-days=0', 'names s3://bucket/key, whose option lock-days is wrong'],
    ['ftp://host/x', 'which is not an address of the kinds in docs/audit.md'],
    ['https://user:secret@host/x', 'which has a password in it: use token-file'],
    ['http://host/x?token-file=/t', 'which would send its token unencrypted: use https'],
    ['https://host/x?method=DELETE', 'whose option method is wrong'],
    ['witness+https://host', 'which lacks `key=` with the Ed25519 verifier key of the witness'],
    [`witness+https://host?key=${keyOf(1)}`, 'which lacks `key=`'],
    [`witness+https://host?key=${keyOf(4).replace('witness', 'other')}`, 'which lacks `key=`'],
    ['file:/a file:/a', 'names file:/a twice'],
  ])('%s is refused', (text, message) => {
    expect(messagesOf(text)).toEqual([expect.stringContaining(message)]);
  });
});
