import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';

interface EntryCore {
  vfsId: string;
  /** Where it was found, inside its VFS. */
  path: VirtualPath;
  /** Last name of the path; empty for the root. */
  name: string;
  /** The user who created it; empty for folders of the configuration. */
  owner: string;
  createdAt: Date;
  modifiedAt: Date;
}

/** A folder. */
export interface FolderEntry extends EntryCore {
  kind: 'folder';
  id: string;
}

/** A file; its content never changes. Other content under the same path is another file, with another fileset. */
export interface FileEntry extends EntryCore {
  kind: 'file';
  /** The same number as `fileset`. */
  id: FilesetId;
  fileset: FilesetId;
  /** Where the stored bytes are. */
  storageClass: string;
  /** Identifies the stored bytes. */
  blobId: string;
  /** In bytes. */
  size: number;
  /** 64 lower-case hexadecimal digits. */
  sha256: string;
  mediaType: string;
  putAt: Date;
  firstReadAt: Date | undefined;
  lastReadAt: Date | undefined;
  expiresAt: Date | undefined;
  /** User-defined keys. */
  metadata: Readonly<Record<string, string>>;
  /** The writable keys of the system class that were set, without prefix: `DESCRIPTION`, `CORRELATION_ID`, ... */
  systemMetadata: Readonly<Record<string, string>>;
  dfic: DataflowContext;
}

/** A running or suspended upload, as its uploader sees it. It is invisible to others, and starts no contract. */
export interface UploadEntry extends EntryCore {
  kind: 'upload';
  /** Identifies the bytes so far. */
  blobId: string;
  /** In bytes, so far. */
  size: number;
}

/** What all users see in a folder. */
export type Entry = FolderEntry | FileEntry;

/** What an uploader sees in a folder. */
export type EntryOrUpload = Entry | UploadEntry;
