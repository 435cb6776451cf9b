import type { FileMetadata } from '@waybill/contracts/endpoints/files/elements/file-metadata';
import { systemMetadataOf } from '@waybill/filebox/entries/system-metadata';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { PagedFile } from '@waybill/filebox/model/paged-entry';
import type { FileTarget } from '../../domain/access/file-target.ts';
import { attributesOf } from './attributes-of.ts';

/**
 * All metadata of a file. An attribute has the platform's value: a user-defined key of the same name does not replace
 * it.
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

/** A file in the form of a page. */
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
