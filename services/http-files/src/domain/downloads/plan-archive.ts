import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import { planArchive, type ArchivePart } from '@waybill/user-files/folders/plan-archive';
import { lookerOf } from '../access/file-user-of.ts';

/**
 * What an archive of a folder, or of these names in it, holds, in the order of names.
 * @throws CodedError as `planArchive` of `user-files` does
 */
export type PlanArchive = (
  mounts: Mounts,
  folder: VirtualPath,
  names?: readonly string[],
) => Promise<readonly ArchivePart[]>;

/** Plans archives of folders in a filebox. */
export function createPlanArchive({ filebox }: { filebox: Pick<Filebox, 'scan' | 'find'> }): PlanArchive {
  return async (mounts, folder, names) => {
    try {
      return await planArchive(lookerOf(filebox, mounts), folder, names);
    } catch (error) {
      if (!isCodedError(error, 'not_a_folder') || error.names['path'] !== folder) throw error;
      const detail = `'${folder}' is a file: GET /2.0/files reads it, or name it in the archive of its folder`;
      throw new CodedError('not_a_folder', { detail, cause: error });
    }
  };
}
