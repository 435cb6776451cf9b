import { type EntityOwner, ownerTitle } from '@waybill/contracts/configuration/configuration-source';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from './query-rows.ts';

interface UseRow {
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

/**
 * Refuses to lose a secret that client connections or PGP keys refer to: those of the actor that owns it, or those of the
 * platform if the owner is empty. @throws CodedError `entity_in_use`, which names them
 */
export async function assertSecretUnused(
  on: Queryable,
  { owner, name }: { readonly owner: string; readonly name: string },
): Promise<void> {
  const uses = await queryRows<UseRow>(on, `${sql} ORDER BY 1, 2, 4`, { owner, reference: `secret://${name}` });
  if (uses.length === 0) return;
  const fields = uses.map(({ entityType, name: user, source, setting }) => ({
    field: '',
    message: `${entityType} ${user} of ${ownerTitle(source)}: ${setting} refers to the secret`,
  }));
  const detail = `The secret ${name} is in use: ${fields.map(({ message }) => message).join('; ')}`;
  throw new CodedError('entity_in_use', { detail, fields });
}
