import { secretNameIn } from '@waybill/contracts/configuration/secret-reference';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Directory } from '@waybill/directory/directory';
import type { SecretReader } from '@waybill/secrets/read-secrets';
import type { Secret } from '@waybill/service-kit/config/secret';

/** Whose secret is read: the actor of a connection or a key, or the platform. */
export interface SecretOwner {
  readonly owner: string;
  readonly ownerId: string | null;
}

/** Reads the secret that a setting refers to. @throws CodedError as `SecretReader`, and `secret_unknown` if the actor was deleted */
export type ReadOwnedSecret = (by: SecretOwner, reference: string) => Promise<Secret>;

/**
 * Reads secrets of connections and keys. Secrets go by the name of the actor. Numbers of actors are not given twice: an actor
 * that still exists after its secret was read is the one whose secret it is.
 */
export function createOwnedSecretReader(parts: {
  readonly directory: Pick<Directory, 'hasActor'>;
  readonly secrets: SecretReader;
}): ReadOwnedSecret {
  return async ({ owner, ownerId }, reference) => {
    const name = secretNameIn(reference);
    const secret = await parts.secrets.read({ owner, name });
    if (ownerId === null || (await parts.directory.hasActor(ownerId))) return secret;
    throw new CodedError('secret_unknown', {
      detail: `The actor ${owner}, to which the secret ${name} belonged, was deleted`,
    });
  };
}
