import { generateKeyPair } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keyFingerprint } from '@waybill/directory/users/public-key-line';
import type { NamedKey } from '@waybill/signing-keys/key-set';
import type { KeyStore } from '@waybill/signing-keys/key-store';
import ssh2 from 'ssh2';
import type { HostKeyKind } from '../config.ts';
import { parseHostKey, type HostKey } from '../sftp/server/host-key.ts';

/** A stored host key, named by its fingerprint in the form of `ssh-keygen -l`. */
export interface StoredHostKey extends NamedKey, Omit<HostKey, 'role'> {}

const typesOf = { ed25519: 'ssh-ed25519', ecdsa: 'ecdsa-sha2-', rsa: 'ssh-rsa' } as const satisfies Record<
  HostKeyKind,
  string
>;
const generate: Record<HostKeyKind, () => Promise<string>> = {
  ed25519: () => Promise.resolve(generateEd25519Key().private),
  ecdsa: () => Promise.resolve(ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private),
  rsa: generateRsaKey,
};

/**
 * The host keys of one kind, in the folder of `SFTP_HOST_KEY_DIR`: `ssh_host_<kind>_key`. Previous ones are private
 * keys too, because clients request a proof of each announced key.
 */
export function hostKeyStore(folder: string, kind: HostKeyKind): KeyStore<StoredHostKey> {
  const parse = (text: string) => parseStored(text, kind);
  return {
    purpose: `host-${kind}`,
    setting: 'SFTP_HOST_KEY_DIR',
    file: join(folder, `ssh_host_${kind}_key`),
    kind: { make: generate[kind], parse, parsePrevious: parse },
  };
}

function parseStored(text: string, kind: HostKeyKind): StoredHostKey {
  let key: Omit<HostKey, 'role'>;
  try {
    key = parseHostKey(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`is not a private key of the server: ${reason}`, { cause: error });
  }
  if (!key.type.startsWith(typesOf[kind])) throw new Error(`holds a key of another type: ${key.type}`);
  return { ...key, kid: keyFingerprint(key.publicBlob) };
}

async function generateRsaKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 3072 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}

/**
 * A new Ed25519 key pair in OpenSSH's format. ssh2 1.17 drops a zero byte at the end of a key, so that about one in a
 * hundred of its pairs cannot be read, not even by itself: each is read back before it is returned.
 */
export function generateEd25519Key(): { private: string; public: string } {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}
