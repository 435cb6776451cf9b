import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type Key, readKeys } from 'openpgp';
import { pgpSettings } from './pgp-settings.ts';

/** What a public key says of itself. */
export interface PgpKeyFacts {
  /** Hexadecimal, in capitals, as `gpg --list-keys` shows it. */
  readonly fingerprint: string;
  readonly users: readonly string[];
  readonly algorithm: string;
  readonly createdAt: Date;
  /** When the key, or the last subkey of a purpose, expires; `undefined`: never. */
  readonly expiresAt: Date | undefined;
  readonly canEncrypt: boolean;
  readonly canSign: boolean;
}

/**
 * Reads one public key with ASCII armor.
 * @throws CodedError `key_unusable` for no key, several keys, or a private key
 */
export async function readPublicKey(armored: string, name: string): Promise<Key> {
  const keys = await readKeys({ armoredKeys: armored, config: pgpSettings }).catch((error: unknown) => {
    throw new CodedError('key_unusable', { detail: `The PGP key ${name} cannot be read: it is damaged`, cause: error });
  });
  const [key, ...others] = keys;
  if (!key || others.length > 0) {
    throw new CodedError('key_unusable', { detail: `The PGP key ${name} has ${keys.length} keys in place of one` });
  }
  if (key.isPrivate()) {
    throw new CodedError('key_unusable', { detail: `The PGP key ${name} is a private key: it belongs into a secret` });
  }
  return key;
}

/** What a public key says of itself. @throws CodedError `key_unusable` */
export async function describePublicKey(armored: string, name: string, now = new Date()): Promise<PgpKeyFacts> {
  const key = await readPublicKey(armored, name);
  const { algorithm, bits, curve } = key.getAlgorithmInfo();
  return {
    fingerprint: fingerprintOf(key),
    users: key.getUserIDs(),
    algorithm: [algorithm, bits ?? curve].filter((part) => part !== undefined).join(' '),
    createdAt: key.getCreationTime(),
    expiresAt: await expiryOf(key),
    canEncrypt: await succeeds(key.getEncryptionKey(undefined, now)),
    canSign: await succeeds(key.getSigningKey(undefined, now)),
  };
}

/** The fingerprint as `gpg` shows it. */
export function fingerprintOf(key: Pick<Key, 'getFingerprint'>): string {
  return key.getFingerprint().toUpperCase();
}

/** The end of what ends first: a key is of no use any more when its subkey for encryption has expired. */
async function expiryOf(key: Key): Promise<Date | undefined> {
  const own = await key.getExpirationTime();
  const ends = own instanceof Date ? [own] : [];
  // A subkey that another one has replaced does not count: of each purpose, the library would use the newest that is valid.
  for (const purpose of ['getEncryptionKey', 'getSigningKey'] as const) {
    const used = await key[purpose]().catch(() => undefined);
    const end = used && used !== key ? await used.getExpirationTime() : undefined;
    if (end instanceof Date) ends.push(end);
  }
  return ends.toSorted((one, other) => one.getTime() - other.getTime())[0];
}

async function succeeds(promise: Promise<unknown>): Promise<boolean> {
  return await promise.then(
    () => true,
    () => false,
  );
}
