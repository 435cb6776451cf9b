import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Door, FileUser } from '@waybill/user-files/permissions/file-user';
import type { Caller } from './caller.ts';
import { originOf, type ServerPlace } from './origin-of.ts';

/** The interface fixes the order of its checks, and knows no unfinished upload as a file. */
export const httpDoor: Door = {
  showsUploadsOf: undefined,
  checksInOrder: true,
  shownBy: ['list', 'download'],
};

/** Who asks what is at a path of these mounts. */
export function lookerOf<Needed extends keyof Filebox>(store: Pick<Filebox, Needed | 'find'>, mounts: Mounts) {
  return { door: httpDoor, store, access: () => Promise.resolve(mounts) };
}

/** A caller as the operations on files know a user. */
export function fileUserOf<Needed extends keyof Filebox>(
  { filebox, server }: { filebox: Pick<Filebox, Needed | 'find'>; server: ServerPlace },
  caller: Caller,
): FileUser<Needed> {
  return {
    ...lookerOf<Needed>(filebox, caller.mounts),
    userName: caller.userName,
    originAt: (location) => originOf(server, caller, location),
  };
}

/** Restates that a folder was taken for a file as the interface does. @throws CodedError `filename_missing`, and what the work throws */
export async function namingFile<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isCodedError(error, 'not_a_file')) throw new CodedError('filename_missing', { cause: error });
    throw error;
  }
}
