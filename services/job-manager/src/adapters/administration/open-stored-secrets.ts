import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import {
  assertSecretUnused,
  describeSecretUse,
  findSecretUses,
  holdSecretOwner,
} from '@waybill/directory/queries/find-secret-uses';
import type { Database, Queryable } from '@waybill/postgres/database';
import type { KeyRingSource } from '@waybill/secrets/key-ring-source';
import {
  assertStorable,
  deleteSecret,
  findOnConditions,
  findSecret,
  listSecrets,
  type ListedSecret,
  secretUnknown,
  setSecret,
  versionOfSecret,
  type WantedSecrets,
} from '@waybill/secrets/manage-secrets';
import type { SecretId } from '@waybill/secrets/sealed-secret';
import { secretSchema } from '@waybill/service-kit/config/secret';
import type { Administrator } from '../../domain/administration/administration.ts';
import type {
  SecretAddress,
  SecretFacts,
  SecretQuery,
  StoredSecrets,
} from '../../domain/administration/stored-secrets.ts';
import type { WrittenAt } from './written-files.ts';

/** Stores secrets with the rights of the operator, which do not include to read one. */
export function createStoredSecrets(db: Database, at: WrittenAt, ringSource: KeyRingSource): StoredSecrets {
  return {
    list: async (query, by) => (await listSecrets(db, wantedBy(query, by))).map(factsOf),
    find: async (address, by) => {
      const id = idOf(address);
      const secret = isReached(id, by) ? await findSecret(db, id) : undefined;
      if (!secret) throw secretUnknown(id);
      return factsOf(secret);
    },
    store: async ({ value, conditions, ...address }, by) => {
      const id = idOf(address);
      assertReached(id, by);
      const written = { value: secretSchema.parse(value), by: { user: by.userName, ...at } };
      const { isNew, secret } = await setSecret(db, {
        ring: ringSource(),
        id,
        conditions,
        ...written,
        holdOwner: holdSecretOwner,
      });
      return { isNew, secret: factsOf(secret) };
    },
    previewStore: async ({ value, conditions, ...address }, by) => {
      const id = idOf(address);
      assertReached(id, by);
      assertStorable(secretSchema.parse(value));
      // Without a key nothing can be stored.
      ringSource();
      await holdSecretOwner(db, id.owner);
      const stored = await findOnConditions(db, id, conditions);
      return await previewOf(db, id, stored ? 'modified' : 'created');
    },
    previewRemoval: async ({ conditions: { ifMatch }, force, ...address }, by) => {
      const id = idOf(address);
      if (!isReached(id, by)) throw secretUnknown(id);
      await findOnConditions(db, id, { ifMatch, ifPresent: true });
      if (!force) await assertSecretUnused(db, id);
      return await previewOf(db, id, 'deleted');
    },
    remove: async ({ conditions: { ifMatch }, force, ...address }, by) => {
      const id = idOf(address);
      // Whether others have it is not disclosed.
      if (!isReached(id, by)) throw secretUnknown(id);
      const check = force ? undefined : (trx: Queryable) => assertSecretUnused(trx, id);
      await deleteSecret(db, id, { by: { user: by.userName, ...at }, ifMatch, check });
    },
  };
}

/** What a change of a secret would do. Its value is not shown. */
async function previewOf(
  db: Database,
  id: SecretId,
  change: ChangePreview['changes'][number]['change'],
): Promise<ChangePreview> {
  const uses = await findSecretUses(db, id);
  const actor = id.owner === '' ? {} : { actor: id.owner };
  const differences = change === 'modified' ? [{ setting: 'value' }] : [];
  return {
    changes: [{ change, entityType: 'Secret', name: id.name, ...actor, differences }],
    consequences: change === 'deleted' ? uses.map((use) => `${describeSecretUse(use)}, and fails`) : [],
    uses: uses.map(({ entityType, name, setting }) => ({ entityType, name, ...actor, setting, of: id.name })),
  };
}

/** The secrets of a list that an administrator reaches. */
export function wantedBy(
  { actor, order: { by, descending }, after, ...query }: SecretQuery,
  administrator: Pick<Administrator, 'actors'>,
): WantedSecrets {
  const order = { by: by === 'actor' ? 'owner' : by, descending } as const;
  return { ...query, owners: reachedOwners(actor, administrator), order, after: after && idOf(after) };
}

function factsOf({ owner, ...secret }: ListedSecret): SecretFacts {
  return { ...secret, actor: owner === '' ? undefined : owner, version: versionOfSecret({ owner, ...secret }) };
}

/** The secret at an address. */
export function idOf({ actor = '', name }: SecretAddress): SecretId {
  return { owner: actor, name };
}

/** The owners of secrets that an administrator wants, and reaches; undefined: all. */
function reachedOwners(
  actor: string | undefined,
  { actors }: Pick<Administrator, 'actors'>,
): readonly string[] | undefined {
  return actor === undefined ? actors : [actor].filter((owner) => isReached({ owner }, { actors }));
}

/** @throws CodedError `not_permitted` to write secrets of owners that the administrator does not reach */
export function assertReached(id: SecretId, by: Administrator): void {
  if (isReached(id, by)) return;
  throw new CodedError('not_permitted', { detail: 'Your roles do not reach the secrets of this owner' });
}

/** The platform's secrets are for those who are not limited to actors. */
export function isReached({ owner }: Pick<SecretId, 'owner'>, { actors }: Pick<Administrator, 'actors'>): boolean {
  return actors === undefined || actors.includes(owner);
}
