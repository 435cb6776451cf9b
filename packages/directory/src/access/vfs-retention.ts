/** After how many hours the files of a VFS are deleted; the earliest time applies. */
export interface VfsRetention {
  readonly vfsId: string;
  readonly hoursAfterPut: number | undefined;
  /** Since the last complete read. */
  readonly hoursAfterGet: number | undefined;
}
