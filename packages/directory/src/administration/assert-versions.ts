import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import type { EntityTarget } from '../sources/entity-target.ts';
import { readEntity, type StoredEntity } from '../sources/stored-entities.ts';
import { isEntityReached, type WriterRights } from './assert-may-write.ts';
import { inChange } from './change-place.ts';
import { versionOf } from './entity-version.ts';
import { unknownEntity } from './unknown-entity.ts';
import type { EntityWrite } from './write-in-transaction.ts';

/**
 * Compares the versions that changes demand with what is stored before the first of them: the writer has seen no version that one
 * of the changes makes. The caller holds the lock of the configuration, so that the versions stay until the end of its
 * transaction. @throws CodedError `precondition_failed`; `entity_unknown`, as the change does
 */
export async function assertVersions(
  on: Queryable,
  { actors }: WriterRights,
  writes: readonly EntityWrite[],
): Promise<void> {
  for (const write of writes) await inChange(write.place, () => assertVersion(on, actors, write));
}

async function assertVersion(
  on: Queryable,
  actors: WriterRights['actors'],
  { target, ifMatch, ifPresent }: EntityWrite,
): Promise<void> {
  if (ifMatch === undefined) return;
  const found = await readEntity(on, target);
  const stored = found && isEntityReached(target, found.definition, actors) ? found : undefined;
  if (!stored && ifPresent) throw unknownEntity(target);
  if (stored && isAmong(stored, ifMatch)) return;
  throw wrongVersion(target, stored);
}

/** Whether a stored entity has one of the versions of an `If-Match`. */
export function isAmong(stored: StoredEntity, versions: readonly string[]): boolean {
  return versions.includes('*') || versions.includes(versionOf(stored));
}

/** A version that is not the demanded one. */
export function wrongVersion({ entityType, name }: EntityTarget, stored: StoredEntity | undefined): CodedError {
  const detail = `The ${entityType} ${name} ${stored ? 'has another version' : 'does not exist'}`;
  return new CodedError('precondition_failed', { detail });
}
