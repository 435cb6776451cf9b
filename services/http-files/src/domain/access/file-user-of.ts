import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
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

/** A caller as the operations on files know a user. */
export function fileUserOf<Needed extends keyof Filebox>(
  { filebox, server }: { filebox: Pick<Filebox, Needed | 'find'>; server: ServerPlace },
  caller: Caller,
): FileUser<Needed> {
  return {
    userName: caller.userName,
    door: httpDoor,
    store: filebox,
    access: () => Promise.resolve(caller.mounts),
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
