import type { FileMetadata } from '@waybill/contracts/endpoints/files/elements/file-metadata';
import { systemMetadataOf } from '@waybill/filebox/entries/system-metadata';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { PagedFile } from '@waybill/filebox/model/paged-entry';
import type { FileTarget } from '../../domain/access/file-target.ts';
import { attributesOf } from './attributes-of.ts';

/**
 * All that is known of a file. An attribute is what the platform knows: a key of the user's own that is called like one
 * does not take its place.
 */
export function presentMetadata({ path, name }: FileTarget, file: FileEntry): FileMetadata {
  const attributes = attributesOf(pagedFileOf(file));
  return {
    id: path,
    filename: name,
    fileset: Number(file.fileset),
    owner: file.owner,
    directory: false,
    attributes,
    metadata: { ...file.metadata, ...attributes, ...systemMetadataOf(file) },
  };
}

/** A file as a page has it. */
function pagedFileOf(file: FileEntry): PagedFile {
  return {
    ...file,
    size: String(file.size),
    createdAt: file.createdAt.toISOString(),
    modifiedAt: file.modifiedAt.toISOString(),
    putAt: file.putAt.toISOString(),
    firstReadAt: file.firstReadAt?.toISOString(),
    lastReadAt: file.lastReadAt?.toISOString(),
  };
}
