import { clientConnectionSchema } from '@waybill/contracts/configuration/connections/client-connection';
import type { Queryable } from '@waybill/postgres/database';
import type { ActorOfJob } from '../../access/actor-of-job.ts';
import type { OwnedConnection } from '../../directory.ts';
import { queryRows, searchableName } from '../query-rows.ts';
import { assertOwnerOf, ownerColumns, type OwnerColumns } from './owner-columns.ts';

interface ConnectionRow extends OwnerColumns {
  readonly definition: Record<string, unknown>;
}

const connections = `SELECT ${ownerColumns}, c.definition
  FROM directory.client_connections AS c LEFT JOIN directory.actors AS a ON a.id = c.actor_id`;

/** The connection of this name that a job may use. @throws CodedError as `Directory` does */
export async function findClientConnection(
  on: Queryable,
  name: string,
  job: ActorOfJob,
): Promise<OwnedConnection | undefined> {
  const searched = searchableName(name);
  if (searched === undefined) return undefined;
  const where = 'WHERE c.name = :name AND (c.actor_id IS NULL OR a.name = :actor)';
  const [row] = await queryRows<ConnectionRow>(on, `${connections} ${where}`, { name: searched, actor: job.actor });
  if (row) assertOwnerOf(job, row, { code: 'connection_unknown', what: `The client connection ${name}` });
  return row && ownedConnection(row);
}

/** All connections, by name. */
export async function listClientConnections(on: Queryable): Promise<OwnedConnection[]> {
  return (await queryRows<ConnectionRow>(on, `${connections} ORDER BY c.name`, {})).map(ownedConnection);
}

function ownedConnection({
  owner,
  ownerId,
  definition: { actor: _actor, ...definition },
}: ConnectionRow): OwnedConnection {
  return { owner, ownerId, connection: clientConnectionSchema.parse(definition) };
}
