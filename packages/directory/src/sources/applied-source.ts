import { CodedError } from '@waybill/contracts/errors/coded-error';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { objectionToNewName, showHiddenCharacters } from '@waybill/contracts/values/configured-names';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** What a configuration source has applied last. */
export interface AppliedSource {
  readonly source: string;
  /** The name of its file, for people. */
  readonly file: string;
  /** `manager.name` of its document. */
  readonly managerName: string;
  readonly appliedBy: string;
}

/** Remembers what a source has applied, as part of the transaction that applies it: then nothing differs from it any more. */
export async function recordSource(on: Queryable, applied: AppliedSource): Promise<void> {
  await queryRows(
    on,
    `INSERT INTO directory.configuration_sources (source, file, manager_name, applied_by)
     VALUES (:source, :file, :managerName, :appliedBy)
     ON CONFLICT (source) DO UPDATE SET file = excluded.file, manager_name = excluded.manager_name,
       applied_by = excluded.applied_by, applied_at = now()`,
    { ...applied },
  );
  await queryRows(on, 'DELETE FROM directory.divergences WHERE source = :source', { source: applied.source });
}

/** Why a source that has not applied anything cannot have this name; undefined: it can. */
export async function objectionToSource(on: Queryable, source: string): Promise<string | undefined> {
  const why = objectionToNewName(source);
  if (why === undefined || (await readSources(on, source)).length > 0) return undefined;
  return `the name of the source ${showHiddenCharacters(source)} ${why}`;
}

/** @throws CodedError `entity_unknown` for a source that has not applied anything. `remedy` is a sentence for it */
export async function requireSource(on: Queryable, source: string, remedy?: string): Promise<void> {
  const known = new Set((await readSources(on)).map((applied) => applied.source));
  if (known.has(source)) return;
  const near = suggestion(source, known);
  const more = remedy === undefined ? '' : `${near === '' ? '.' : ''} ${remedy}`;
  throw new CodedError('entity_unknown', { detail: `There is no configuration source ${source}${near}${more}` });
}

/** What sources have applied last, by their names: of one, or of all. */
export async function readSources(on: Queryable, source?: string): Promise<AppliedSource[]> {
  return queryRows<AppliedSource>(
    on,
    `SELECT source, file, manager_name AS "managerName", applied_by AS "appliedBy" FROM directory.configuration_sources
      WHERE CAST(:source AS text) IS NULL OR source = :source ORDER BY source COLLATE "C"`,
    { source: source ?? null },
  );
}
