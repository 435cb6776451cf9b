import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '@waybill/postgres/database';
import type { KeyRingSource } from '@waybill/secrets/key-ring-source';
import { deleteSecret, listSecrets, secretUnknown, setSecret } from '@waybill/secrets/manage-secrets';
import type { SecretId } from '@waybill/secrets/sealed-secret';
import { secretSchema } from '@waybill/service-kit/config/secret';
import type { Administrator } from '../../domain/administration/administration.ts';
import type { SecretAddress, StoredSecrets } from '../../domain/administration/stored-secrets.ts';
import type { WrittenAt } from './written-files.ts';

/** Stores secrets with the rights of the operator, which do not include to read one. */
export function createStoredSecrets(db: Database, at: WrittenAt, ringSource: KeyRingSource): StoredSecrets {
  return {
    list: async ({ actors }) => {
      const secrets = await listSecrets(db);
      return secrets
        .filter((secret) => isReached(secret, { actors }))
        .map(({ owner, ...secret }) => ({ ...secret, actor: owner === '' ? undefined : owner }));
    },
    store: async (address, value, by) => {
      const id = idOf(address);
      if (!isReached(id, by)) {
        throw new CodedError('not_permitted', { detail: 'Your roles do not reach the secrets of this owner' });
      }
      const change = { id, value: secretSchema.parse(value), by: { user: by.userName, ...at } };
      return await setSecret(db, { ring: ringSource(), ...change });
    },
    remove: async (address, by) => {
      const id = idOf(address);
      // Whether others have it is not disclosed.
      if (!isReached(id, by)) throw secretUnknown(id);
      await deleteSecret(db, id, { user: by.userName, ...at });
    },
  };
}

function idOf({ actor = '', name }: SecretAddress): SecretId {
  return { owner: actor, name };
}

/** The platform's secrets are for those who are not limited to actors. */
function isReached({ owner }: SecretId, { actors }: Pick<Administrator, 'actors'>): boolean {
  return actors === undefined || actors.includes(owner);
}
