import type { Queryable } from '@waybill/postgres/database';
import type { NamedActor } from '../../access/actor-of-job.ts';
import { queryRows } from '../query-rows.ts';

/** The actor that has this name now. */
export async function findActor(on: Queryable, name: string): Promise<NamedActor | undefined> {
  const rows = await queryRows<NamedActor>(
    on,
    `SELECT id AS "actorId", floor(date_part('epoch', created_at) * 1000) AS "actorSinceMs"
       FROM directory.actors WHERE name = :name`,
    { name },
  );
  return rows[0];
}

/** Whether the actor with this number exists still. */
export async function hasActor(on: Queryable, id: string): Promise<boolean> {
  return (await queryRows(on, 'SELECT FROM directory.actors WHERE id = CAST(:id AS bigint)', { id })).length > 0;
}
