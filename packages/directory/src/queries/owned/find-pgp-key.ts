import { pgpKeySchema } from '@waybill/contracts/configuration/pgp-key';
import type { Queryable } from '@waybill/postgres/database';
import type { ActorOfJob } from '../../access/actor-of-job.ts';
import type { OwnedPgpKey } from '../../directory.ts';
import { queryRows, searchableName } from '../query-rows.ts';
import { assertOwnerOf, ownerColumns, type OwnerColumns } from './owner-columns.ts';

interface KeyRow extends OwnerColumns {
  readonly definition: Record<string, unknown>;
}

const keys = `SELECT ${ownerColumns}, k.definition
  FROM directory.pgp_keys AS k LEFT JOIN directory.actors AS a ON a.id = k.actor_id`;

/** The key of this name that a job may use. @throws CodedError as `Directory` does */
export async function findPgpKey(on: Queryable, name: string, job: ActorOfJob): Promise<OwnedPgpKey | undefined> {
  const searched = searchableName(name);
  if (searched === undefined) return undefined;
  const where = 'WHERE k.name = :name AND (k.actor_id IS NULL OR a.name = :actor)';
  const [row] = await queryRows<KeyRow>(on, `${keys} ${where}`, { name: searched, actor: job.actor });
  if (row) assertOwnerOf(job, row, { code: 'key_unknown', what: `The PGP key ${name}` });
  return row && ownedKey(row);
}

/** All keys, by name. */
export async function listPgpKeys(on: Queryable): Promise<OwnedPgpKey[]> {
  return (await queryRows<KeyRow>(on, `${keys} ORDER BY k.name`, {})).map(ownedKey);
}

function ownedKey({ owner, ownerId, definition: { actor: _actor, ...definition } }: KeyRow): OwnedPgpKey {
  return { owner, ownerId, key: pgpKeySchema.parse(definition) };
}
