import type { FileEntry, FolderEntry, UploadEntry } from '../model/entry.ts';

/** Of a file and the uploader's own uncommitted upload of the same name: the newer one. A folder is never hidden. */
export function visibleToUploader<E extends Pick<FileEntry, 'kind' | 'putAt'> | Pick<FolderEntry, 'kind'>>(
  entry: E | undefined,
  upload: UploadEntry | undefined,
): E | UploadEntry | undefined {
  if (!entry || !upload) return entry ?? upload;
  const hidden = entry.kind === 'file' && entry.putAt < upload.createdAt;
  return hidden ? upload : entry;
}
