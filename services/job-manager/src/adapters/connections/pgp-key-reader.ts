import { secretNameIn } from '@waybill/contracts/configuration/secret-reference';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Directory } from '@waybill/directory/directory';
import type { SecretReader } from '@waybill/secrets/read-secrets';
import type { StepKeys } from '../../domain/workflows/task.ts';

/** Reads PGP keys for the steps of an actor's jobs; secrets only for a use of the private key. */
export function createPgpKeyReader(parts: {
  readonly directory: Pick<Directory, 'findPgpKey'>;
  readonly secrets: SecretReader;
  readonly actor: string;
}): StepKeys['pgpKey'] {
  const { directory, secrets, actor } = parts;
  return async (name, use) => {
    const owned = await directory.findPgpKey(name, actor);
    if (!owned) {
      const detail = `Neither the actor ${actor} nor the platform has a PGP key ${JSON.stringify(name)}`;
      throw new CodedError('key_unknown', { detail });
    }
    const { owner, key } = owned;
    const read = async (reference: string | undefined): Promise<string | undefined> =>
      reference === undefined ? undefined : (await secrets.read({ owner, name: secretNameIn(reference) })).reveal();
    const { publicKey } = key;
    if (use === 'public') return { name, publicKey };
    return { name, publicKey, privateKey: await read(key.privateKey), passphrase: await read(key.passphrase) };
  };
}
