import { clientConnectionSchema } from '@waybill/contracts/configuration/client-connection';
import type { Queryable } from '@waybill/postgres/database';
import type { OwnedConnection } from '../directory.ts';
import { queryRows, searchableName } from './query-rows.ts';

/** The connection of this name that jobs of the actor may use: the actor's own, or one of the platform. */
export async function findClientConnection(
  on: Queryable,
  name: string,
  actorName: string,
): Promise<OwnedConnection | undefined> {
  const searched = searchableName(name);
  if (searched === undefined) return undefined;
  const rows = await queryRows<{ owner: string; definition: Record<string, unknown> }>(
    on,
    `SELECT coalesce(a.name, '') AS owner, c.definition
     FROM directory.client_connections AS c LEFT JOIN directory.actors AS a ON a.id = c.actor_id
     WHERE c.name = :name AND (c.actor_id IS NULL OR a.name = :actorName)`,
    { name: searched, actorName },
  );
  const [row] = rows;
  if (!row) return undefined;
  const { actor: _actor, ...definition } = row.definition;
  return { owner: row.owner, connection: clientConnectionSchema.parse(definition) };
}
