import { ownerTitle, platformOwner } from '@waybill/contracts/configuration/configuration-source';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { readSources } from '../sources/applied-source.ts';
import type { EntityTarget } from '../sources/entity-target.ts';
import type { StoredEntity } from '../sources/stored-entities.ts';

/** The refusal of a change of what a source owns, or is built in: it names the source and its file. */
export async function ownedError(on: Queryable, entity: StoredEntity): Promise<CodedError> {
  const { owner, names } = await ownerOf(on, entity);
  const remedy =
    entity.source === platformOwner ? 'it cannot be changed' : 'change its file and apply it, or release it first';
  const detail = `${entity.entityType} ${entity.name} belongs to ${owner}: ${remedy}`;
  return new CodedError('entity_owned', { detail, names });
}

/** The refusal to force a change that no source could undo. */
export function unforcedError({ entityType, name }: StoredEntity): CodedError {
  const detail = `${entityType} ${name} belongs to the API: change it without force`;
  return new CodedError('entity_owned', { detail });
}

/** The refusal to create what is there. What a source owns is named with the source and its file, as in every refusal. */
export async function existsError(on: Queryable, entity: StoredEntity): Promise<CodedError> {
  const detail = `The ${entity.entityType} ${entity.name} exists already`;
  if (entity.source === null) return new CodedError('entity_exists', { detail });
  const { owner, names } = await ownerOf(on, entity);
  return new CodedError('entity_exists', { detail: `${detail}, and belongs to ${owner}`, names });
}

/** The refusal to create what has the name of something that the writer may not see: nothing else of it is told. */
export function takenError({ entityType, name }: EntityTarget): CodedError {
  const detail = `The name ${name} is taken: the name of a ${entityType} is unique on the platform`;
  return new CodedError('entity_exists', { detail });
}

async function ownerOf(
  on: Queryable,
  { source }: StoredEntity,
): Promise<{ readonly owner: string; readonly names: Readonly<Record<string, string>> }> {
  const [applied] = source === null ? [] : await readSources(on, source);
  const file = applied?.file ?? '';
  return { owner: ownerTitle(source, file), names: { source: source ?? '', ...(file !== '' && { file }) } };
}
