import { CodedError } from '@waybill/contracts/errors/coded-error';

/**
 * Refuses a database that a newer release has migrated: this release might damage what it does not know. @param
 * unknown the migrations that this release does not know, by their full names (`filebox.0001_entries`)
 * @throws CodedError `database_mismatch` unless there are none
 */
export function refuseNewer(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const them = unknown.length === 1 ? 'the migration' : 'the migrations';
  throw new CodedError('database_mismatch', {
    detail:
      `the database is newer than this release, which does not know ${them} ${unknown.join(', ')}: ` +
      'start the release that the database was migrated for, or restore the backup from before the migration',
  });
}
