import { noActivity, type SessionActivity } from '../../domain/sessions/session-activity.ts';

/** The file that a session is at. */
export interface CurrentFile {
  readonly path: string;
  readonly direction: 'upload' | 'download';
}

/** Counts what a session moves. Counting is an addition; everything else happens when somebody asks, once a second. */
export class ActivityMeter {
  readonly #currentFile: () => CurrentFile | undefined;
  readonly #now: () => number;
  #received = 0;
  #sent = 0;
  #taken = noActivity;
  #takenAt: number;

  /** @param now milliseconds on a clock that never goes back */
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

  /** What the session is at, with the rate since the last call; undefined when that is what was said then. */
  take(): SessionActivity | undefined {
    const now = this.#now();
    const moved = this.#received + this.#sent - this.#taken.bytesReceived - this.#taken.bytesSent;
    const elapsedMs = Math.max(1, now - this.#takenAt);
    const current = this.#currentFile();
    const activity: SessionActivity = {
      file: current?.path ?? null,
      direction: current?.direction ?? null,
      bytesReceived: this.#received,
      bytesSent: this.#sent,
      bytesPerSecond: Math.round((moved * 1_000) / elapsedMs),
    };
    this.#takenAt = now;
    const isNew =
      moved > 0 || activity.file !== this.#taken.file || activity.bytesPerSecond !== this.#taken.bytesPerSecond;
    this.#taken = activity;
    return isNew ? activity : undefined;
  }
}
