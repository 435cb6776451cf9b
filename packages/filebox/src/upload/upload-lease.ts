import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '@waybill/postgres/database';
import { ByteReservation, type Reserved } from '../limits/byte-reservation.ts';
import type { QuotaReservations } from '../limits/quota-reservations.ts';

/** The right to write one blob, and the room for it. */
export interface UploadLease extends Disposable {
  /**
   * Makes sure of the lease when it may have run out, as after a pause of the whole process, and that the file may have
   * this size: undefined while there is nothing to ask.
   * @throws CodedError `upload_incomplete` when it was lost, `byte_limit_reached`
   */
  assure(sizeBytes?: number): Promise<void> | undefined;
  /** Lets go of the blob, which has this size, so that somebody else can resume it at once. */
  release(sizeBytes: number): Promise<void>;
  /** Removes the upload. False when it was not ours any more: committed, swept or resumed elsewhere. */
  remove(): Promise<boolean>;
}

/** Whose lease it is, and what to do when it is lost. */
export interface UploadLeaseOptions {
  db: Database;
  keeper: QuotaReservations;
  vfsId: string;
  blobId: string;
  holder: string;
  /** Somebody else may resume it. Otherwise only the sweeper can end it, after a day. */
  resumable: boolean;
  /** How long it lasts without a renewal. */
  leaseSeconds: number;
  onLost(error: CodedError): void;
  reserved: Reserved;
  /** Of the file so far. Noted at each renewal while the VFS has no limits: it may get some. */
  sizeBytes(): number;
}

/** Keeps the lease of an upload alive until it is disposed of. A database that does not answer for a while is no loss. */
export function holdUploadLease(options: UploadLeaseOptions): UploadLease {
  const { db, blobId, holder, resumable, leaseSeconds, onLost, sizeBytes } = options;
  const reservation = new ByteReservation(options, options.reserved);
  // For so long after a renewal nobody else can have resumed the upload, give or take the way to the database.
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
    const lost = new CodedError('upload_incomplete', { detail: 'The upload was given up meanwhile' });
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
