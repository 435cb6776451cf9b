import { type EntityOwner, ownerTitle } from '@waybill/contracts/configuration/configuration-source';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from './query-rows.ts';

/** The secret of an actor, or of the platform if the owner is empty. */
interface SecretIdentity {
  readonly owner: string;
  readonly name: string;
}

/** A setting that refers to a secret. */
export interface SecretUse {
  readonly entityType: string;
  readonly name: string;
  readonly source: EntityOwner;
  readonly setting: string;
}

/** A setting with this reference, of an entity of the owner of the secret. */
const sql = ['Client Connection', 'PGP Key']
  .map(
    (entityType) => `
      SELECT '${entityType}' AS "entityType", t.name, t.source, settings.key AS setting
        FROM directory.${entityType === 'PGP Key' ? 'pgp_keys' : 'client_connections'} t, jsonb_each_text(t.definition) settings
       WHERE settings.value = :reference AND coalesce(t.definition ->> 'actor', '') = :owner`,
  )
  .join(' UNION ALL ');

/** What refers to a secret: client connections and PGP keys of the owner of the secret. */
export async function findSecretUses(on: Queryable, { owner, name }: SecretIdentity): Promise<SecretUse[]> {
  return await queryRows<SecretUse>(on, `${sql} ORDER BY 1, 2, 4`, { owner, reference: `secret://${name}` });
}

/**
 * Keeps the actor that owns a secret until the transaction ends; the platform is the owner with an empty name. A secret of no actor
 * would belong to an actor that gets the name later. @throws CodedError `validation_failed`
 */
export async function holdSecretOwner(on: Queryable, owner: string): Promise<void> {
  if (owner === '') return;
  const found = await queryRows(on, 'SELECT FROM directory.actors WHERE name = :owner FOR KEY SHARE', { owner });
  if (found.length > 0) return;
  const message = `there is no actor ${owner}: create it before its secrets`;
  throw new CodedError('validation_failed', { detail: message, fields: [{ field: 'actor', message }] });
}

/** A setting that refers to a secret, in a sentence. */
export function describeSecretUse({ entityType, name, source, setting }: SecretUse): string {
  return `${entityType} ${name} of ${ownerTitle(source)}: ${setting} refers to the secret`;
}

/**
 * Refuses to lose a secret that client connections or PGP keys refer to: those of the actor that owns it, or those of the
 * platform if the owner is empty. @throws CodedError `entity_in_use`, which names them
 */
export async function assertSecretUnused(on: Queryable, secret: SecretIdentity): Promise<void> {
  const uses = await findSecretUses(on, secret);
  if (uses.length === 0) return;
  const fields = uses.map((use) => ({ field: '', message: describeSecretUse(use) }));
  const detail = `The secret ${secret.name} is in use: ${fields.map(({ message }) => message).join('; ')}`;
  throw new CodedError('entity_in_use', { detail, fields });
}
