import type { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '@waybill/postgres/database';
import { ByteReservation, type Reserved } from '../limits/byte-reservation.ts';
import type { QuotaReservations } from '../limits/quota-reservations.ts';
import { discardedUploadError } from '../model/discarded-upload-error.ts';

/** The right to write one blob, and the reservation for it. */
export interface UploadLease extends Disposable {
  /**
   * Checks the lease if it may have expired, for example after a pause of the whole process, and that the file may have
   * this size. Undefined if there is nothing to check.
   * @throws CodedError `upload_incomplete` if the lease was lost, `byte_limit_reached`
   */
  assure(sizeBytes?: number): Promise<void> | undefined;
  /** Releases the lease and notes the size, so that the upload can be resumed immediately. */
  release(sizeBytes: number): Promise<void>;
  /** Removes the upload. False if it was no longer held here: committed, swept or resumed elsewhere. */
  remove(): Promise<boolean>;
}

/** The upload of the lease, and what to do when the lease is lost. */
export interface UploadLeaseOptions {
  db: Database;
  keeper: QuotaReservations;
  vfsId: string;
  blobId: string;
  holder: string;
  /** Another process may resume it. Otherwise only the sweeper can end it, after a day. */
  resumable: boolean;
  /** How long it lasts without a renewal. */
  leaseSeconds: number;
  onLost(error: CodedError): void;
  reserved: Reserved;
  /** The file size so far. Stored at each renewal while the VFS has no limits, because limits may be set meanwhile. */
  sizeBytes(): number;
}

/** Renews the lease of an upload until it is disposed of. It survives a database that does not respond for a while. */
export function holdUploadLease(options: UploadLeaseOptions): UploadLease {
  const { db, blobId, holder, resumable, leaseSeconds, onLost, sizeBytes } = options;
  const reservation = new ByteReservation(options, options.reserved);
  // For this long after a renewal no other process can have resumed the upload, with a margin for the round trip to the
  // database.
  const sureForMs = (leaseSeconds * 1_000 * 2) / 3;
  let renewedAt = performance.now();
  const renew = async (): Promise<void> => {
    const askedAt = performance.now();
    const notedBytes = reservation.limited ? 0 : sizeBytes();
    const { rows } = await db.raw<{ rows: { limited: boolean }[] }>(renewalSql, {
      leaseSeconds,
      blobId,
      holder,
      notedBytes,
    });
    const [renewed] = rows;
    if (renewed) {
      renewedAt = askedAt;
      if (renewed.limited) reservation.limit();
      return;
    }
    const lost = discardedUploadError();
    onLost(lost);
    throw lost;
  };
  const timer = setInterval(() => void renew().catch(() => {}), (leaseSeconds * 1_000) / 3).unref();
  return {
    assure: (size) => {
      const held = resumable && performance.now() - renewedAt > sureForMs ? renew() : undefined;
      const covered = size === undefined ? undefined : reservation.cover(size);
      return held && covered ? Promise.all([held, covered]).then(() => {}) : (held ?? covered);
    },
    release: (size) => releaseLease(options, reservation.keptBytes(size)),
    remove: async () => {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        'DELETE FROM filebox.uploads WHERE blob_id = ? AND holder = ?',
        [blobId, holder],
      );
      return rowCount > 0;
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      reservation[Symbol.dispose]();
    },
  };
}

async function releaseLease({ db, blobId, holder }: UploadLeaseOptions, keptBytes: number): Promise<void> {
  await db.raw(
    `UPDATE filebox.uploads SET lease_until = now() - interval '1 microsecond', reserved_ahead = false,
       reserved_bytes = GREATEST(0, ? - replaced_bytes)
     WHERE blob_id = ? AND holder = ?`,
    [keptBytes, blobId, holder],
  );
}

const renewalSql = `
  UPDATE filebox.uploads SET lease_until = now() + make_interval(secs => :leaseSeconds),
    reserved_bytes = GREATEST(reserved_bytes, :notedBytes - replaced_bytes)
  WHERE blob_id = :blobId AND holder = :holder
  RETURNING EXISTS (SELECT FROM filebox.vfs_limits v WHERE v.vfs_id = uploads.vfs_id) AS limited`;
