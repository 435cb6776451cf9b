import { clientConnectionSchema } from '@waybill/contracts/configuration/connections/client-connection';
import type { Queryable } from '@waybill/postgres/database';
import type { OwnedConnection } from '../directory.ts';
import { queryRows, searchableName } from './query-rows.ts';

interface ConnectionRow {
  readonly owner: string;
  readonly definition: Record<string, unknown>;
}

const connections = `SELECT coalesce(a.name, '') AS owner, c.definition
  FROM directory.client_connections AS c LEFT JOIN directory.actors AS a ON a.id = c.actor_id`;

/** The connection of this name that jobs of the actor may use: the actor's own, or one of the platform. */
export async function findClientConnection(
  on: Queryable,
  name: string,
  actorName: string,
): Promise<OwnedConnection | undefined> {
  const searched = searchableName(name);
  if (searched === undefined) return undefined;
  const where = 'WHERE c.name = :name AND (c.actor_id IS NULL OR a.name = :actorName)';
  const [row] = await queryRows<ConnectionRow>(on, `${connections} ${where}`, { name: searched, actorName });
  return row && ownedConnection(row);
}

/** All connections, by name. */
export async function listClientConnections(on: Queryable): Promise<OwnedConnection[]> {
  return (await queryRows<ConnectionRow>(on, `${connections} ORDER BY c.name`, {})).map(ownedConnection);
}

function ownedConnection({ owner, definition: { actor: _actor, ...definition } }: ConnectionRow): OwnedConnection {
  return { owner, connection: clientConnectionSchema.parse(definition) };
}
