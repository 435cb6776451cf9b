import type { FindFaults } from '@waybill/directory/checks/check-document';
import { faultsOfSoundSource } from '@waybill/directory/checks/faults-of-source';
import type { Surroundings } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';

/** Finds what is wrong with a configuration besides errors of shape, with what the database of DATABASE_URL has. */
export function faultsInDatabase(surroundings: Surroundings): FindFaults {
  // A database that cannot be used is reported where it is needed.
  return (sound) => withPreparedDatabase(surroundings, (db) => faultsOfSoundSource(db, sound, {})).catch(() => []);
}
