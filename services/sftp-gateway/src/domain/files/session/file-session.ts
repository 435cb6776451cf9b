import type { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import type { CoveredVersion, DownloadCoverage } from '@waybill/download-coverage/download-coverage';
import type { Filebox } from '@waybill/filebox/filebox';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { TransferRight } from '@waybill/filebox/model/transfer-right';
import type { FileUser } from '@waybill/user-files/permissions/file-user';
import type { RefusedOperation } from '../../sessions/session-audit.ts';
import type { DownloadRecords } from '../content/download-records.ts';
import type { OpenFiles } from '../handles/open-files.ts';

/** The part of the filebox that users reach over SFTP. */
export type FileStore = Pick<
  Filebox,
  | 'find'
  | 'scan'
  | 'beginUpload'
  | 'findUploadPlaces'
  | 'findFilePlaces'
  | 'openDownload'
  | 'deleteFile'
  | 'createFolder'
  | 'deleteFolder'
  | 'rename'
  | 'setTimes'
  | 'setMetadata'
  | 'space'
>;

/** What a file operation of one logged-in user needs. */
export interface FileSession extends FileUser {
  readonly sessionId: string;
  readonly user: CoveredVersion['user'];
  readonly store: FileStore;
  readonly openFiles: OpenFiles;
  /** What was read and is not on the record yet. */
  readonly records: DownloadRecords;
  /** What was read of a file through handles before. */
  readonly coverage: DownloadCoverage;
  /** Audits that the user looks into a folder, unless it is the one of the last time. */
  enterFolder(path: VirtualPath, virtualFileSystem: string | undefined): Promise<void>;
  /** Audits that an operation was refused. It never rejects. */
  refused(operation: RefusedOperation, error: CodedError): Promise<void>;
  /** What the latest look found, if it was at this place: whoever looks at a file often opens it next. */
  readonly latestLook: { note(file: FileEntry): void; at(location: Location): FileEntry | undefined };
  /** The right to a transfer, which was granted by what the user reached then, and can be withdrawn. */
  rightTo(permission: 'upload' | 'download', location: Location, grantedBy: Mounts): TransferRight;
}
