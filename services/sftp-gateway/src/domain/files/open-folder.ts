import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { ScannedEntries } from '@waybill/filebox/model/entry-query';
import { readFolder, type FolderView } from '@waybill/user-files/folders/read-folder';
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

/** @throws CodedError as `readFolder` of `user-files` does */
export async function openFolder(session: FolderReader, path: VirtualPath): Promise<FolderListing> {
  // A folder that is not there fails when it is opened, as clients expect.
  const { view, first } = await readFolder(session, path, async (view) => ({ view, first: await scan(session, view) }));
  await session.enterFolder(path, view.location?.vfs.name);
  const { mounted } = view;
  const hidden = new Set(view.hidden);
  const isShown = ({ name }: ScannedEntries[number]): boolean => !hidden.has(name);
  let unread: readonly EntryDescription[] = mounted.map(describeMountFolder);
  let ahead = Promise.resolve(first);
  const nextPage = async (): Promise<readonly EntryDescription[]> => {
    const entries = await ahead;
    // Read while the client takes this page. It fails when its turn comes, if it comes.
    ahead = entries.length < pageEntries ? Promise.resolve([]) : scan(session, view, entries.at(-1)?.name);
    ahead.catch(() => {});
    const page = [...unread, ...entries.filter(isShown).map(describeEntry)];
    unread = [];
    // An empty page means the end, so one that holds nothing but hidden names is passed over.
    return page.length > 0 || entries.length === 0 ? page : nextPage();
  };
  return { nextPage };
}

async function scan(
  { store, userName }: FolderReader,
  { location }: FolderView,
  afterName?: string,
): Promise<ScannedEntries> {
  if (location === undefined) return [];
  return store.scan(location.vfs.id, location.path, {
    limit: pageEntries,
    includeUploadOf: userName,
    ...(afterName !== undefined && { afterName }),
  });
}
