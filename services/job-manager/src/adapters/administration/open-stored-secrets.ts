import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '@waybill/postgres/database';
import type { KeyRingSource } from '@waybill/secrets/key-ring-source';
import { deleteSecret, listSecrets, setSecret } from '@waybill/secrets/manage-secrets';
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
        .filter(({ owner }) => actors === undefined || actors.includes(owner))
        .map(({ owner, ...secret }) => ({ ...secret, actor: owner === '' ? undefined : owner }));
    },
    store: async (address, value, by) => {
      const id = reachedId(address, by);
      const change = { id, value: secretSchema.parse(value), by: { user: by.userName, ...at } };
      return await setSecret(db, { ring: ringSource(), ...change });
    },
    remove: async (address, by) => deleteSecret(db, reachedId(address, by), { user: by.userName, ...at }),
  };
}

/** The platform's secrets are for those who are not limited to actors. */
function reachedId({ actor = '', name }: SecretAddress, { actors }: Pick<Administrator, 'actors'>) {
  if (actors === undefined || actors.includes(actor)) return { owner: actor, name };
  throw new CodedError('not_permitted', { detail: 'Your roles do not reach the secrets of this owner' });
}
