import { noActivity, type SessionActivity } from '../../domain/sessions/session-activity.ts';

/** The present file of a session. */
export interface CurrentFile {
  readonly path: string;
  readonly direction: 'upload' | 'download';
}

/** Counts what a session transfers. Counting is an addition; everything else happens once a second, in `take`. */
export class ActivityMeter {
  readonly #currentFile: () => CurrentFile | undefined;
  readonly #now: () => number;
  #received = 0;
  #sent = 0;
  #taken = noActivity;
  #takenAt: number;
  /** Of the present file. */
  #file: { readonly since: number; readonly bytesBefore: number } | undefined;

  /** @param now milliseconds of a monotonic clock */
  constructor(currentFile: () => CurrentFile | undefined, now: () => number = () => performance.now()) {
    this.#currentFile = currentFile;
    this.#now = now;
    this.#takenAt = now();
  }

  received(bytes: number): void {
    this.#received += bytes;
  }

  sent(bytes: number): void {
    this.#sent += bytes;
  }

  /** The activity of the session, with the rate since the last call; undefined if it is unchanged. */
  take(): SessionActivity | undefined {
    const now = this.#now();
    const moved = this.#received + this.#sent - this.#taken.bytesReceived - this.#taken.bytesSent;
    const elapsedMs = Math.max(1, now - this.#takenAt);
    const current = this.#currentFile();
    this.#follow(current);
    const activity: SessionActivity = {
      file: current?.path ?? null,
      direction: current?.direction ?? null,
      bytesReceived: this.#received,
      bytesSent: this.#sent,
      bytesPerSecond: Math.round((moved * 1_000) / elapsedMs),
      ...(this.#file && {
        fileSince: this.#file.since,
        fileBytes: this.#received + this.#sent - this.#file.bytesBefore,
      }),
    };
    this.#takenAt = now;
    const isNew =
      moved > 0 || activity.file !== this.#taken.file || activity.bytesPerSecond !== this.#taken.bytesPerSecond;
    this.#taken = activity;
    return isNew ? activity : undefined;
  }

  /** What was moved since the last call counts as that of a new file. */
  #follow(current: CurrentFile | undefined): void {
    const isSame = current?.path === this.#taken.file && current.direction === this.#taken.direction;
    if (current === undefined) this.#file = undefined;
    else if (!isSame || this.#file === undefined) {
      this.#file = { since: Date.now(), bytesBefore: this.#taken.bytesReceived + this.#taken.bytesSent };
    }
  }
}
