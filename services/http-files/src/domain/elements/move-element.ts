import type { Filebox } from '@waybill/filebox/filebox';
import type { Entry } from '@waybill/filebox/model/entry';
import { moveEntry } from '@waybill/user-files/entries/move-entry';
import { missingFile } from '@waybill/user-files/permissions/refusals';
import type { Caller } from '../access/caller.ts';
import type { FileTarget } from '../access/file-target.ts';
import { fileUserOf } from '../access/file-user-of.ts';
import type { ServerPlace } from '../access/origin-of.ts';
import { assertPreconditions, isConditional, type Preconditions } from '../access/preconditions.ts';

/** What moving works with. */
export interface MoveElementPorts {
  readonly filebox: Pick<Filebox, 'rename' | 'find'>;
  readonly server: ServerPlace;
}

/** What is to be called how, or to go where. */
export interface Move {
  readonly from: FileTarget;
  readonly to: FileTarget;
  readonly overwrite: boolean;
  /** What has to hold of what is moved. */
  readonly conditions: Preconditions;
}

/** Renames or moves. @throws CodedError `precondition_failed`, and as `moveEntry` of `user-files` does */
export type MoveElement = (caller: Caller, move: Move) => Promise<Entry>;

/** Moves files and folders of a filebox. */
export function createMoveElement(ports: MoveElementPorts): MoveElement {
  return async (caller, { from, to, overwrite, conditions }) => {
    const move = { from: from.path, to: to.path, overwrite };
    const check = (found: Entry): void => assertPreconditions(conditions, found);
    const options = { check, asksVersion: isConditional(conditions) };
    const { entry } = await moveEntry(fileUserOf(ports, caller), move, options);
    // Only an unfinished upload was there, which callers do not see.
    if (!entry) throw missingFile(from.path);
    return entry;
  };
}
