import { rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Caller, NamedUser } from '../access/caller.ts';

/** A complete transfer, as it is recorded. */
export interface RecordedTransfer {
  readonly direction: 'upload' | 'download';
  readonly at: Date;
  /** Inside the VFS; undefined if it was erased. */
  readonly path: string | undefined;
  /** Its name; undefined if that was erased, or an older release has recorded the transfer. */
  readonly virtualFileSystem: string | undefined;
  readonly fileset: string | undefined;
  readonly dfiid: string | undefined;
  readonly address: string | undefined;
  readonly client: string | undefined;
  /** The bytes of the file; undefined if they were erased. */
  readonly size: number | undefined;
  readonly receipt: { readonly size: number; readonly sha256: string } | undefined;
}

/** A transfer as its user sees it. */
export type OwnTransfer = Omit<RecordedTransfer, 'path' | 'virtualFileSystem'> & {
  /** In the user's tree as it is now. */
  readonly path: VirtualPath | undefined;
};

/** A place in the order of transfers: of the one with this time, in milliseconds, and this number. */
export interface TransferPlace {
  readonly at: number;
  readonly sequence: string;
}

/** Recorded transfers, newest first. */
export interface TransferBook {
  /**
   * The next transfers of a user, none from before the user was created, and one more than asked for if there are more. An entry without a transfer is where the search was
   * given up.
   */
  read(
    user: NamedUser,
    page: { readonly after: TransferPlace | undefined; readonly limit: number },
  ): Promise<{ readonly transfer: RecordedTransfer | undefined; readonly place: TransferPlace }[]>;
}

/** A page of the caller's transfers. */
export type ListOwnTransfers = (
  caller: Caller,
  page: { readonly after: TransferPlace | undefined; readonly limit: number },
) => Promise<{ readonly transfers: readonly OwnTransfer[]; readonly next: TransferPlace | undefined }>;

/** Lists the transfers of a user. */
export function createListOwnTransfers(book: TransferBook): ListOwnTransfers {
  return async ({ user, mounts }, { after, limit }) => {
    const found = await book.read(user, { after, limit });
    const page = found.slice(0, limit);
    const transfers = page.flatMap(({ transfer }) =>
      transfer ? [{ ...transfer, path: pathInTree(mounts, transfer) }] : [],
    );
    const givenUp = found.find(({ transfer }) => transfer === undefined);
    return { transfers, next: found.length > limit ? page.at(-1)?.place : givenUp?.place };
  };
}

/** The path that the user has for a path of a VFS; undefined if its VFS, or the path itself, is not in the user's tree. */
function pathInTree(mounts: Mounts, { virtualFileSystem, path }: RecordedTransfer): VirtualPath | undefined {
  if (path === undefined) return undefined;
  const inner = segmentsOf(path as VirtualPath);
  const places = mounts.mounts
    .filter(({ vfs }) => vfs.name === virtualFileSystem)
    .map(({ mountPath }) => `${mountPath === rootPath ? '' : mountPath}/${inner.join('/')}` as VirtualPath);
  return places.find((place) => mounts.locate(place)?.vfs.name === virtualFileSystem);
}
