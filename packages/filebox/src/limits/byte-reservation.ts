import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@waybill/postgres/database';
import { discardedUploadError } from '../model/discarded-upload-error.ts';
import { limitError } from '../model/limit-error.ts';
import type { QuotaReservations } from './quota-reservations.ts';

const firstStepBytes = 1024 * 1024;
const stepBytesAtMost = 64 * 1024 * 1024;
/** How long an upload waits for others to release room. */
const patienceMs = 10_000;
const askAgainAfterMs = 50;

/** An upload's reservation in the byte limit of its VFS. */
export interface Reserved {
  /** False while the VFS has no limits: then nothing is reserved. */
  limited: boolean;
  /** The size that the file may grow to. */
  coveredBytes: number;
  /** What is known of its size. The minimum stays reserved even if the upload is suspended. */
  expectedBytes?: { atLeast: number; atMost: number } | undefined;
}

/** The upload that the reservation is for. */
export interface ByteReservationOptions {
  db: Database;
  vfsId: string;
  blobId: string;
  holder: string;
  keeper: QuotaReservations;
}

interface Answer {
  covered: string | null;
  ahead_of_need: boolean | null;
  room_to_come: boolean;
  most: string | null;
}

/**
 * Room for one upload, reserved before its bytes are accepted: in growing steps, unless its size was known from the
 * start.
 */
export class ByteReservation implements Disposable {
  readonly #options: ByteReservationOptions;
  readonly #bytesAtLeast: number;
  readonly #bytesAtMost: number;
  readonly #ended = new AbortController();
  #limited: boolean;
  #coveredBytes: number;
  #neededBytes = 0;
  #stepBytes = firstStepBytes;
  #turn = Promise.resolve();

  /** For an upload that was inserted with `reserved`. Dispose of it when the upload ends. */
  constructor(options: ByteReservationOptions, reserved: Reserved) {
    const { limited, coveredBytes, expectedBytes = { atLeast: 0, atMost: Infinity } } = reserved;
    this.#options = options;
    this.#limited = limited;
    this.#coveredBytes = coveredBytes;
    this.#bytesAtLeast = expectedBytes.atLeast;
    this.#bytesAtMost = expectedBytes.atMost;
  }

  /** False while the VFS has no limits. */
  get limited(): boolean {
    return this.#limited;
  }

  /** The VFS was given limits meanwhile. */
  limit(): void {
    this.#limited = true;
  }

  /** What stays reserved for a suspended file of this size. */
  keptBytes(sizeBytes: number): number {
    return this.#limited ? Math.max(sizeBytes, this.#bytesAtLeast) : sizeBytes;
  }

  /**
   * Makes sure that the file may have this size: undefined if that is already known.
   * @throws CodedError `byte_limit_reached`, `upload_incomplete` (it was discarded meanwhile)
   */
  cover(sizeBytes: number): Promise<void> | undefined {
    const shrinks = sizeBytes < this.#neededBytes;
    this.#neededBytes = sizeBytes;
    if (!this.#limited || (!shrinks && this.#isCovered())) return undefined;
    return shrinks ? this.trim() : this.#inTurn(() => this.#grow());
  }

  /** Releases what was reserved beyond the present size. */
  trim(): Promise<void> {
    return this.#inTurn(async () => {
      const keptBytes = this.keptBytes(this.#neededBytes);
      if (this.#ended.signal.aborted || this.#coveredBytes <= keptBytes) return;
      // Set immediately: a call that needs more from here on then reserves it.
      this.#coveredBytes = keptBytes;
      await this.#ask(0);
    });
  }

  /** Ends all waits for room. */
  [Symbol.dispose](): void {
    // Creating the reason of an abort takes longer than everything else here.
    if (this.#limited) this.#ended.abort();
    this.#options.keeper.forget(this);
  }

  #isCovered(): boolean {
    return this.#neededBytes <= this.#coveredBytes;
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #grow(): Promise<void> {
    const { signal } = this.#ended;
    const giveUpAt = performance.now() + patienceMs;
    while (!this.#isCovered()) {
      const aheadBytes = Math.min(this.#stepBytes, this.#bytesAtMost - this.#neededBytes);
      const { covered, room_to_come: isRoomToCome, most } = await this.#ask(aheadBytes);
      if (covered !== null) {
        this.#stepBytes = Math.min(this.#stepBytes * 2, stepBytesAtMost);
        continue;
      }
      const isHopeless = !isRoomToCome || performance.now() > giveUpAt || signal.aborted;
      if (isHopeless) throw limitError('bytes', Number(most));
      await sleep(askAgainAfterMs, undefined, { signal }).catch(() => {});
    }
  }

  async #ask(aheadBytes: number): Promise<Answer> {
    const { keeper, vfsId } = this.#options;
    const neededBytes = this.keptBytes(this.#neededBytes);
    const answer = await askForRoom(this.#options, { neededBytes, aheadBytes });
    if (answer.covered !== null) this.#coveredBytes = Number(answer.covered);
    if (answer.ahead_of_need === true && !this.#ended.signal.aborted) keeper.keep(this, vfsId);
    else if (answer.covered !== null) keeper.forget(this);
    return answer;
  }
}

async function askForRoom(
  { db, blobId, holder }: ByteReservationOptions,
  { neededBytes, aheadBytes }: { neededBytes: number; aheadBytes: number },
): Promise<Answer> {
  const { rows } = await db.raw<{ rows: Answer[] }>(
    `SELECT covered, ahead_of_need, room_to_come, most, set_config('synchronous_commit', 'off', true)
     FROM filebox.reserve(CAST(? AS uuid), CAST(? AS uuid), ?, ?)`,
    [blobId, holder, neededBytes, Math.max(0, aheadBytes)],
  );
  const [answer] = rows;
  if (answer) return answer;
  throw discardedUploadError();
}
