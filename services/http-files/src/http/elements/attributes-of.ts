import type { FileAttributes } from '@waybill/contracts/endpoints/files/shapes/file-attributes';
import type { PagedEntry, PagedFile } from '@waybill/filebox/model/paged-entry';

/** The attributes of an element; empty if unknown, all of them for a folder that only leads to a mount. */
export function attributesOf(entry: PagedEntry | undefined): FileAttributes {
  if (entry?.kind === 'file') return attributesOfFile(entry);
  return {
    dstFileName: '',
    size: '',
    correlationId: '',
    putDate: '',
    firstReadDate: '',
    lastModifiedTime: entry?.modifiedAt ?? '',
    lastAccessTime: '',
    creationTime: entry?.createdAt ?? '',
    datatype: '',
    description: '',
  };
}

function attributesOfFile(file: PagedFile): FileAttributes {
  const { systemMetadata } = file;
  return {
    dstFileName: systemMetadata['DESTINATION_FILENAME'] ?? '',
    size: file.size,
    correlationId: systemMetadata['CORRELATION_ID'] ?? '',
    putDate: file.putAt,
    firstReadDate: file.firstReadAt ?? '',
    lastModifiedTime: file.modifiedAt,
    lastAccessTime: file.lastReadAt ?? '',
    creationTime: file.createdAt,
    datatype: file.mediaType,
    description: systemMetadata['DESCRIPTION'] ?? '',
  };
}
