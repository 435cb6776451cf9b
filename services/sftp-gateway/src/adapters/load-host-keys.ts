import { generateKeyPair, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ssh2 from 'ssh2';
import { parseHostKey, type HostKey, type HostKeyKind, type HostKeyRole } from '../sftp/host-key.ts';
import { generateEd25519Key } from './generate-ed25519-key.ts';

const typesOf = { ed25519: 'ssh-ed25519', ecdsa: 'ecdsa-sha2-', rsa: 'ssh-rsa' } as const satisfies Record<
  HostKeyKind,
  string
>;
const generate: Record<HostKeyKind, () => Promise<string>> = {
  ed25519: () => Promise.resolve(generateEd25519Key().private),
  ecdsa: () => Promise.resolve(ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private),
  rsa: generateRsaKey,
};

const spareFiles = { next: '.next', previous: '.previous' } as const;
/** Nobody but its owner may change a key, and only the owner's group may read it. */
const forbiddenMode = 0o037;

/**
 * The server's keys from a folder: `ssh_host_<kind>_key`, made there (mode 600) at the first start, and beside them
 * `.next` and `.previous` ones of a rotation. All gateways of a cluster have the same: of two that start at once, both
 * take the key that was there first.
 */
export async function loadHostKeys(folder: string, kinds: readonly HostKeyKind[]): Promise<HostKey[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const keys = await Promise.all(kinds.map((kind) => loadKind(join(folder, `ssh_host_${kind}_key`), kind)));
  return keys.flat();
}

async function loadKind(path: string, kind: HostKeyKind): Promise<HostKey[]> {
  const active = (await readKey(path, kind, 'active')) ?? (await makeKey(path, kind));
  const spares = await Promise.all([
    readKey(path + spareFiles.next, kind, 'next'),
    readKey(path + spareFiles.previous, kind, 'previous'),
  ]);
  return [active, ...spares.filter((key) => key !== undefined)];
}

async function readKey(path: string, kind: HostKeyKind, role: HostKeyRole): Promise<HostKey | undefined> {
  const text = await readFile(path, 'utf8').catch(unlessCode('ENOENT'));
  if (text === undefined) return undefined;
  const { mode } = await stat(path);
  if ((mode & forbiddenMode) !== 0) {
    throw new Error(`${path} can be read or changed by others (mode ${(mode & 0o777).toString(8)}): chmod 600`);
  }
  return parsed(text, path, kind, role);
}

async function makeKey(path: string, kind: HostKeyKind): Promise<HostKey> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, await generate[kind](), { mode: 0o600, flush: true });
    await link(draft, path).catch(unlessCode('EEXIST'));
  } finally {
    await rm(draft, { force: true });
  }
  return parsed(await readFile(path, 'utf8'), path, kind, 'active');
}

function parsed(text: string, path: string, kind: HostKeyKind, role: HostKeyRole): HostKey {
  let key: HostKey;
  try {
    key = parseHostKey(text, role);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} is not a private key of the server: ${reason}`, { cause: error });
  }
  if (!key.type.startsWith(typesOf[kind])) throw new Error(`${path} holds a key of another type: ${key.type}`);
  return key;
}

async function generateRsaKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 3072 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}

function unlessCode(expected: string): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof Error && 'code' in error && error.code === expected)) throw error;
  };
}
