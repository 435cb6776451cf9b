import type { FileEntry, FolderEntry, PartialFileEntry } from '../model/entry.ts';

/** Of a file and the uploader's own unfinished upload of the same name: the newer one. A folder is never hidden. */
export function visibleToUploader<E extends Pick<FileEntry, 'kind' | 'putAt'> | Pick<FolderEntry, 'kind'>>(
  entry: E | undefined,
  partial: PartialFileEntry | undefined,
): E | PartialFileEntry | undefined {
  if (!entry || !partial) return entry ?? partial;
  const hidden = entry.kind === 'file' && entry.putAt < partial.createdAt;
  return hidden ? partial : entry;
}
