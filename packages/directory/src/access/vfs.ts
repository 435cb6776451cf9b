/** A virtual file system: a tree of folders and files that belongs to one actor. */
export interface Vfs {
  readonly id: string;
  readonly name: string;
  /** False: every user who reaches it may do everything. */
  readonly aclEnabled: boolean;
}
