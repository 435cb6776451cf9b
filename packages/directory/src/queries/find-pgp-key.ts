import { pgpKeySchema } from '@waybill/contracts/configuration/pgp-key';
import type { Queryable } from '@waybill/postgres/database';
import type { OwnedPgpKey } from '../directory.ts';
import { queryRows, searchableName } from './query-rows.ts';

interface KeyRow {
  readonly owner: string;
  readonly definition: Record<string, unknown>;
}

const keys = `SELECT coalesce(a.name, '') AS owner, k.definition
  FROM directory.pgp_keys AS k LEFT JOIN directory.actors AS a ON a.id = k.actor_id`;

/** The key of this name that jobs of the actor may use: the actor's own, or one of the platform. */
export async function findPgpKey(on: Queryable, name: string, actorName: string): Promise<OwnedPgpKey | undefined> {
  const searched = searchableName(name);
  if (searched === undefined) return undefined;
  const where = 'WHERE k.name = :name AND (k.actor_id IS NULL OR a.name = :actorName)';
  const [row] = await queryRows<KeyRow>(on, `${keys} ${where}`, { name: searched, actorName });
  return row && ownedKey(row);
}

/** All keys, by name. */
export async function listPgpKeys(on: Queryable): Promise<OwnedPgpKey[]> {
  return (await queryRows<KeyRow>(on, `${keys} ORDER BY k.name`, {})).map(ownedKey);
}

function ownedKey({ owner, definition: { actor: _actor, ...definition } }: KeyRow): OwnedPgpKey {
  return { owner, key: pgpKeySchema.parse(definition) };
}
