import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from './query-rows.ts';

/** A client connection that logs in with a private SSH key. */
export interface KeyUse {
  /** The owner and the name of the secret. */
  readonly owner: string;
  readonly name: string;
  readonly connection: string;
  /** As it is configured. */
  readonly keyExpires: string | null;
}

const sql = `
  SELECT keys.owner, keys.name, t.name AS connection, t.definition ->> 'keyExpires' AS "keyExpires"
    FROM directory.client_connections t
    JOIN jsonb_to_recordset(CAST(:keys AS jsonb)) AS keys (owner text, name text)
      ON coalesce(t.definition ->> 'actor', '') = keys.owner AND t.definition ->> 'privateKey' = 'secret://' || keys.name
   WHERE t.definition ->> 'type' = 'sftp'
   ORDER BY t.name`;

/** The client connections that log in with these keys: those of the actor that owns the key, or those of the platform. */
export async function findKeyUses(
  on: Queryable,
  keys: readonly { readonly owner: string; readonly name: string }[],
): Promise<KeyUse[]> {
  const wanted = JSON.stringify(keys.map(({ owner, name }) => ({ owner, name })));
  return await queryRows<KeyUse>(on, sql, { keys: wanted });
}
