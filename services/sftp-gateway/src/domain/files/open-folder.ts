import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { ScannedEntries } from '@waybill/filebox/model/entry-query';
import { requirePermission } from '@waybill/user-files/permissions/require-permission';
import { holdsMount } from '@waybill/user-files/permissions/user-tree';
import { describeEntry, describeMountFolder, type EntryDescription } from './handles/entry-description.ts';
import type { FileSession, FileStore } from './session/file-session.ts';

/** A folder being read, page after page, under one cursor: what is added or removed meanwhile never doubles a name. */
export interface FolderListing {
  /** The next entries; none at the end. */
  nextPage(): Promise<readonly EntryDescription[]>;
}

/** What reading folders takes of a session. */
export interface FolderReader extends Pick<FileSession, 'userName' | 'door' | 'access' | 'enterFolder'> {
  readonly store: Pick<FileStore, 'scan' | 'find'>;
}

/** Names of 255 bytes, twice each with their attributes, fit a packet of 256 KiB so many times. */
const pageEntries = 400;

/** @throws CodedError `path_not_found`, `not_a_folder`, `no_list_permission` */
export async function openFolder(session: FolderReader, path: VirtualPath): Promise<FolderListing> {
  const access = await session.access();
  const location = access.locate(path);
  if (location === undefined && !holdsMount(access, path)) {
    throw new CodedError('path_not_found');
  }
  if (location !== undefined) await requirePermission(session, access, path, 'list');

  const scan = async (afterName?: string): Promise<ScannedEntries> => {
    if (location === undefined) return [];
    return session.store.scan(location.vfs.id, location.path, {
      limit: pageEntries,
      includeUploadOf: session.userName,
      ...(afterName !== undefined && { afterName }),
    });
  };
  const mountNames = access.mountedNames(path);
  const hidden = new Set([...mountNames, ...access.hiddenNames(path)]);
  const isShown = ({ name }: ScannedEntries[number]): boolean => !hidden.has(name);
  let unread: readonly EntryDescription[] = mountNames.map(describeMountFolder);
  // A folder that is not there fails when it is opened, as clients expect.
  let ahead = Promise.resolve(await scan());
  await session.enterFolder(path);
  const nextPage = async (): Promise<readonly EntryDescription[]> => {
    const entries = await ahead;
    // Read while the client takes this page. It fails when its turn comes, if it comes.
    ahead = entries.length < pageEntries ? Promise.resolve([]) : scan(entries.at(-1)?.name);
    ahead.catch(() => {});
    const page = [...unread, ...entries.filter(isShown).map(describeEntry)];
    unread = [];
    // An empty page means the end, so one that holds nothing but hidden names is passed over.
    return page.length > 0 || entries.length === 0 ? page : nextPage();
  };
  return { nextPage };
}
