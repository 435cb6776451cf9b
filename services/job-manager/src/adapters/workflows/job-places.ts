import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type FilePlace, placeIn, splitFilePlace } from '@waybill/contracts/tasks/file-place';
import { type GrantedRight, isGranted } from '@waybill/contracts/tasks/granted-right';
import { permissionRefusals } from '@waybill/contracts/values/permission';
import { nameOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Directory } from '@waybill/directory/directory';
import type { Origin } from '@waybill/filebox/model/origin';
import type { Job } from '../../domain/jobs/job.ts';

/** A place that a job may use. */
export interface ReachedPlace {
  readonly vfsId: string;
  /** The name of the VFS, for the audit log; absent if it is not configured any more. */
  readonly vfsName?: string | undefined;
  readonly path: VirtualPath;
  /** The same for every way to write it; it identifies the place among the effects of a step. */
  readonly key: FilePlace;
}

/** The origin of what a job does at a place: records of files name their VFS. */
export function originAt(origin: Origin, { vfsName }: Pick<ReachedPlace, 'vfsName'>): Origin {
  return vfsName === undefined ? origin : { ...origin, vfsName };
}

/** Finds the place that a task names. @throws CodedError as `JobFiles` does */
export type ReachPlace = (place: FilePlace, ...rights: readonly GrantedRight[]) => Promise<ReachedPlace>;

/** The directory, as far as it says what a job reaches. Its answers are at most a second old. */
export type GrantSource = Pick<Directory, 'findActionGrants' | 'findVfs'>;

/**
 * The places of a job: all of its own VFS, and those of others that its action grants now. A grant that is withdrawn is no
 * longer used by jobs that were created before.
 */
export function createJobPlaces(directory: GrantSource, job: Job): ReachPlace {
  return async (place, ...rights) => {
    const { vfs, path } = splitFilePlace(place);
    const { vfsId: ownId } = job;
    const ownName = ownId === undefined ? undefined : (await directory.findVfs(ownId))?.name;
    if (ownId !== undefined && (vfs === undefined || vfs === ownName))
      return { vfsId: ownId, vfsName: ownName, path, key: path };
    if (vfs === undefined) throw new CodedError('job_step_failed', { detail: 'the action names no VFS to work in' });
    const grants = await directory.findActionGrants({
      contract: job.contract,
      action: job.contractAction,
      actorId: job.actorId,
      createdAt: job.createdAt,
    });
    const missing = rights.find((right) => !isGranted(grants, { vfs, path, right }));
    const vfsId = grants.find((grant) => grant.vfs === vfs)?.vfsId;
    if (missing === undefined && vfsId !== undefined) return { vfsId, vfsName: vfs, path, key: placeIn(vfs, path) };
    const right = missing ?? 'list';
    throw new CodedError(permissionRefusals[right], {
      detail: `The action ${job.contract}/${job.contractAction} does not grant ${right} at ${path} of the VFS ${vfs}`,
      names: { path, file: nameOf(path) },
    });
  };
}
