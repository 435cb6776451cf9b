import { CodedError } from '@waybill/contracts/errors/coded-error';
import { decryptKey, type PrivateKey, readPrivateKeys } from 'openpgp';
import { pgpSettings } from './pgp-settings.ts';

/**
 * A private key without its passphrase. As a secret it is encrypted anyway, and to unlock it for each file takes seconds.
 * @throws CodedError `key_unusable`, without any of its bytes
 */
export async function withoutPassphrase(armored: string, passphrase: string | undefined): Promise<string> {
  const key = await readOne(armored);
  if (key.isDecrypted()) return key.armor();
  if (passphrase === undefined) refuse('needs its passphrase: set PGP_PASSPHRASE');
  const unlocked = await decryptKey({ privateKey: key, passphrase, config: pgpSettings }).catch(() =>
    refuse('has another passphrase than PGP_PASSPHRASE'),
  );
  return unlocked.armor();
}

/** The public key of a private one, with ASCII armor. */
export async function publicPartOf(armored: string): Promise<string> {
  return (await readOne(armored)).toPublic().armor();
}

async function readOne(armored: string): Promise<PrivateKey> {
  const keys = await readPrivateKeys({ armoredKeys: armored, config: pgpSettings }).catch(() =>
    refuse('cannot be read: it has no ASCII armor (`gpg --armor --export-secret-keys`), or is damaged'),
  );
  const [key, ...others] = keys;
  return key && others.length === 0 ? key : refuse(`holds ${keys.length} keys in place of one`);
}

function refuse(reason: string): never {
  throw new CodedError('key_unusable', { detail: `The private key ${reason}` });
}
