import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSelfSigned } from '../src/make-self-signed.ts';
import { readKeyPair } from '../src/read-key-pair.ts';

let folder: TestFolder;
let files: { certFile: string; keyFile: string };

beforeEach(async () => {
  folder = await createTestFolder();
  files = { certFile: join(folder.path, 'cert.pem'), keyFile: join(folder.path, 'key.pem') };
});
afterEach(() => folder.remove());

const make = () => makeSelfSigned({ names: ['files.example.org', '192.0.2.7', '2001:db8::1'], days: 30 });

async function write(cert: string, key: string): Promise<void> {
  await writeFile(files.certFile, cert);
  await writeFile(files.keyFile, key);
}

describe('a certificate that was made here', () => {
  it('is valid for its names and addresses, and read as a pair', async () => {
    const { cert, key } = await make();
    await write(cert, key);
    const pair = await readKeyPair(files);
    const certificate = new X509Certificate(cert);
    expect(pair).toMatchObject({ cert, key, fingerprint: certificate.fingerprint256 });
    expect(certificate.checkHost('files.example.org')).toBe('files.example.org');
    expect(certificate.checkIP('192.0.2.7')).toBe('192.0.2.7');
    expect(certificate.checkIP('2001:db8::1')).toBe('2001:db8::1');
    expect(certificate.checkHost('other.example.org')).toBeUndefined();
    expect(certificate.ca).toBe(false);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(Math.round((pair.expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(30);
  });
});

describe('reading a pair refuses', () => {
  it.each([
    ['an empty key', async () => ({ ...(await make()), key: '' }), 'holds no private key in PEM form'],
    ['an empty certificate', async () => ({ ...(await make()), cert: '' }), 'holds no certificate in PEM form'],
    ['files that are swapped', async () => swap(await make()), 'holds no certificate in PEM form'],
    ['half a certificate', async () => halve(await make()), 'holds no certificate in PEM form'],
    [
      'two pairs mixed',
      async () => ({ ...(await make()), key: (await make()).key }),
      'does not belong to the certificate',
    ],
    ['an encrypted key', async () => encrypt(await make()), 'is encrypted: store it without a passphrase'],
    ['a chain that breaks off', async () => appendHalf(await make()), 'OpenSSL refuses the pair'],
    [
      'a file of a megabyte',
      async () => ({ ...(await make()), cert: 'a'.repeat(1_000_000) }),
      'is larger than 262144 bytes',
    ],
  ])('%s', async (_what, broken, said) => {
    const { cert, key } = await broken();
    await write(cert, key);
    await expect(readKeyPair(files)).rejects.toThrow(said);
  });

  it('a file that is missing, and a folder in its place', async () => {
    await writeFile(files.keyFile, (await make()).key);
    await expect(readKeyPair(files)).rejects.toThrow('cert.pem cannot be read (ENOENT)');
    await mkdir(files.certFile);
    await expect(readKeyPair(files)).rejects.toThrow('cert.pem cannot be read (EISDIR)');
  });
});

type Pair = Awaited<ReturnType<typeof make>>;

const swap = ({ cert, key }: Pair): Pair => ({ cert: key, key: cert });
const halve = ({ cert, key }: Pair): Pair => ({ cert: cert.slice(0, cert.length / 2), key });
const appendHalf = ({ cert, key }: Pair): Pair => ({ cert: `${cert}${cert.slice(0, cert.length / 2)}`, key });

function encrypt({ cert, key }: Pair): Pair {
  const cipher = { cipher: 'aes-256-cbc', passphrase: 'secret' };
  return {
    cert,
    key: createPrivateKey(key)
      .export({ format: 'pem', type: 'pkcs8', ...cipher })
      .toString(),
  };
}
