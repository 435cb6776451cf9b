import { ownerTitle } from '@waybill/contracts/configuration/configuration-source';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { readSources } from '../sources/applied-source.ts';
import type { StoredEntity } from '../sources/stored-entities.ts';

/** The refusal of a change of what a source owns: it names the source and its file. */
export async function ownedError(on: Queryable, { entityType, name, source }: StoredEntity): Promise<CodedError> {
  const [applied] = source === null ? [] : await readSources(on, source);
  const file = applied?.file ?? '';
  const owner = `${ownerTitle(source)}${file === '' ? '' : `, file ${file}`}`;
  const detail = `${entityType} ${name} belongs to ${owner}: change its file, or release it first`;
  return new CodedError('entity_owned', { detail, names: { source: source ?? '', ...(file !== '' && { file }) } });
}
