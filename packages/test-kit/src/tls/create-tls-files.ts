import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
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
  /** Replaces the content of one file or of both at the same time, as Kubernetes does: with a link to a new folder. */
  write(pair: Partial<Pair>): Promise<void>;
}

/** Puts a pair into files in a new folder, which disposing removes. */
export async function createTlsFiles(first: Pair): Promise<TlsFiles> {
  const folder = await createTestFolder();
  const current = join(folder.path, 'current');
  let [content, version] = [first, 0];
  const write = async (change: Partial<Pair>): Promise<void> => {
    content = { ...content, ...change };
    version += 1;
    const next = join(folder.path, String(version));
    await mkdir(next);
    await writeFile(join(next, 'cert.pem'), content.cert);
    await writeFile(join(next, 'key.pem'), content.key);
    await symlink(next, `${next}.link`);
    await rename(`${next}.link`, current);
  };
  await write(first);
  const [certFile, keyFile] = [join(current, 'cert.pem'), join(current, 'key.pem')];
  return {
    certFile,
    keyFile,
    env: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_RELOAD_SECONDS: '0.05' },
    write,
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}
