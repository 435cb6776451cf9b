import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { missingFileError } from './find-entry.ts';

/** The times of an entry that can be set. */
export interface TimesChange {
  vfsId: string;
  path: VirtualPath;
  modifiedAt: Date;
  /** The entry to change; default: the entry at the path. */
  id?: string | undefined;
}

/** Sets the modification time of an entry. Throws as `Filebox.setTimes` does. */
export async function setTimes(db: Database, { vfsId, path, modifiedAt, id }: TimesChange): Promise<void> {
  const bindings = { vfsId, names: segmentsOf(path), modifiedAt, id: id ?? null };
  const [changed] = await runPrepared<{ id: string }>(db, setStatement, bindings);
  if (changed) return;
  const error = await missingFileError(db, vfsId, path);
  throw error.code === 'not_a_file' ? new CodedError('file_not_found', { names: { file: nameOf(path) } }) : error;
}

const setStatement = prepareStatement(
  'filebox set times',
  `UPDATE filebox.entries SET modified_at = CAST(:modifiedAt AS timestamptz)
   WHERE id = filebox.entry_at(:vfsId, CAST(:names AS text[])) AND id = COALESCE(CAST(:id AS bigint), id)
   RETURNING id`,
);
