import { CodedError } from '@waybill/contracts/coded-error';
import type { Database } from '@waybill/postgres/database';

/** The right to write one blob. */
export interface UploadLease extends Disposable {
  /**
   * Makes sure of the lease when it may have run out, as after a pause of the whole process: undefined while it cannot.
   * @throws CodedError `upload_incomplete` when it was lost
   */
  assure(): Promise<void> | undefined;
  /** Lets go of the blob, so that somebody else can go on with it at once. */
  release(): Promise<void>;
  /** Gives the blob up. False when it was not ours to give up any more: committed, swept or taken over. */
  giveUp(): Promise<boolean>;
}

/** Whose lease it is, and what to do when it is lost. */
export interface UploadLeaseOptions {
  db: Database;
  blobId: string;
  holder: string;
  /** Somebody else may go on with it. Otherwise only the sweeper can end it, after a day. */
  resumable: boolean;
  /** How long it lasts without a renewal. */
  leaseSeconds: number;
  onLost(error: CodedError): void;
}

/** Keeps the lease of an upload alive until it is disposed of. A database that does not answer for a while is no loss. */
export function holdUploadLease(options: UploadLeaseOptions): UploadLease {
  const { db, blobId, holder, resumable, leaseSeconds, onLost } = options;
  // For so long after a renewal nobody else can have gone on with the upload, give or take the way to the database.
  const sureForMs = (leaseSeconds * 1_000 * 2) / 3;
  let renewedAt = performance.now();
  const renew = async (): Promise<void> => {
    const askedAt = performance.now();
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `UPDATE filebox.uploads SET lease_until = now() + make_interval(secs => ?) WHERE blob_id = ? AND holder = ?`,
      [leaseSeconds, blobId, holder],
    );
    if (rowCount > 0) {
      renewedAt = askedAt;
      return;
    }
    const lost = new CodedError('upload_incomplete', { detail: 'The upload was given up meanwhile' });
    onLost(lost);
    throw lost;
  };
  const timer = setInterval(() => void renew().catch(() => {}), (leaseSeconds * 1_000) / 3).unref();
  return {
    assure: () => (resumable && performance.now() - renewedAt > sureForMs ? renew() : undefined),
    release: async () => {
      await db.raw(
        `UPDATE filebox.uploads SET lease_until = now() - interval '1 microsecond' WHERE blob_id = ? AND holder = ?`,
        [blobId, holder],
      );
    },
    giveUp: async () => {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        'DELETE FROM filebox.uploads WHERE blob_id = ? AND holder = ?',
        [blobId, holder],
      );
      return rowCount > 0;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
