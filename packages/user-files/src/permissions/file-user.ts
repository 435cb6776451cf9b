import type { Permission } from '@waybill/contracts/values/permission';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Origin } from '@waybill/filebox/model/origin';

/** All that two protocols answer differently about the same files. */
export interface Door {
  /** The user who sees own unfinished uploads as files; undefined where they are not shown. */
  readonly showsUploadsOf: UserName | undefined;
  /**
   * The checks are made one after the other, each with its own answer, as the HTTP interface orders them: whether the folder
   * is there, whether a folder has the name of the file, whether the operation is permitted, whether the file is there. Otherwise
   * a user who may see that nothing is there is told so, what the user may do nothing with is missing like everything else that
   * is, and what is at the path is found out by the operation itself, without another statement.
   */
  readonly checksInOrder: boolean;
  /**
   * The permissions with which users learn whether a file is there without changing anything. For other users the files of
   * others do not exist, and they cannot ask whether a name is free.
   */
  readonly shownBy: readonly Permission[];
}

/** Who asks what is at a path. */
export interface Asker {
  readonly door: Door;
  readonly store: Pick<Filebox, 'find'>;
}

/** A user who is logged in, with the part of the filebox that an operation needs. */
export interface FileUser<Needed extends keyof Filebox = never> extends Asker {
  readonly userName: UserName;
  readonly store: Pick<Filebox, Needed | 'find'>;
  /** What the user reaches now: the configuration may change meanwhile. */
  access(): Promise<Mounts>;
  /** Who does it, for the audit log. */
  originAt(location: Location): Origin;
}
