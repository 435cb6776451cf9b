import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '../create-test-folder.ts';

/** A certificate with its key, as PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** The certificate files of a process under test. */
export interface TlsFiles extends AsyncDisposable {
  readonly certFile: string;
  readonly keyFile: string;
  /** The settings of a service that reads them, every 50 ms. */
  readonly env: Readonly<Record<string, string>>;
  /** Replaces the content of one file or of both. */
  write(pair: Partial<Pair>): Promise<void>;
}

/** Puts a pair into files in a new folder, which disposing removes. */
export async function createTlsFiles(first: Pair): Promise<TlsFiles> {
  const folder = await createTestFolder();
  const [certFile, keyFile] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
  const write = async ({ cert, key }: Partial<Pair>): Promise<void> => {
    if (cert !== undefined) await writeFile(certFile, cert);
    if (key !== undefined) await writeFile(keyFile, key);
  };
  await write(first);
  return {
    certFile,
    keyFile,
    env: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_RELOAD_SECONDS: '0.05' },
    write,
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}
