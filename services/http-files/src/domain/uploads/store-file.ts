import type { Filebox } from '@waybill/filebox/filebox';
import { beginToWrite } from '@waybill/user-files/content/begin-to-write';
import type { WriteCondition } from '@waybill/user-files/content/write-condition';
import { rightToUpload, type TransferringCaller } from '../access/caller.ts';
import type { FilePlace } from '../access/file-access.ts';
import { fileUserOf } from '../access/file-user-of.ts';
import type { ServerPlace } from '../access/origin-of.ts';
import type { Receipt } from '../receipts/receipt.ts';
import type { DeliverFile } from './deliver-file.ts';
import type { IncomingFile } from './incoming-file.ts';
import { uploadFailure } from './upload-failure.ts';
import { writeContent } from './write-content.ts';

/** What storing works with. */
export interface StoreFilePorts {
  readonly filebox: Pick<Filebox, 'beginUpload' | 'find'>;
  readonly server: ServerPlace;
  readonly deliverFile: DeliverFile;
}

/** What belongs to an upload besides the file. */
export interface UploadTerms {
  readonly condition: WriteCondition | undefined;
  /** The client's key for it, with the fingerprint of what was read. */
  readonly keyed?: { readonly key: string; fingerprint(): Promise<string | undefined> };
}

/**
 * Stores a file at a place, in place of one that is there unless the condition is against it. Once it resolves the file
 * is kept for good, with its receipt, and contracts have been told.
 * @throws CodedError `precondition_failed`, `idempotency_key_reused`, `metadata_key_refused`, `storage_full`, `byte_limit_reached`, `file_limit_reached`,
 * `path_not_found`, and what the content fails with
 */
export type StoreFile = (
  caller: TransferringCaller,
  place: FilePlace,
  incoming: IncomingFile,
  terms: UploadTerms,
) => Promise<Receipt>;

/** Stores files in a filebox. */
export function createStoreFile(ports: StoreFilePorts): StoreFile {
  return async (caller, place, incoming, { condition, keyed }) => {
    const { target } = place;
    const { mediaType, expectedBytes } = incoming;
    try {
      await using upload = await beginToWrite(fileUserOf(ports, caller), place, {
        mediaType,
        ...(expectedBytes && { expectedBytes }),
        condition,
        right: (location) => rightToUpload(caller, location),
      });
      await writeContent(upload, incoming.content);
      upload.addMetadata(await incoming.metadata());
      const fingerprint = await keyed?.fingerprint();
      const answered = keyed && fingerprint !== undefined ? { key: keyed.key, fingerprint } : undefined;
      const { userName, user } = caller;
      return await ports.deliverFile(upload, { userId: user.id, userName, path: target.path, answered });
    } catch (error) {
      throw uploadFailure(error, { condition, folder: target.folder });
    }
  };
}
