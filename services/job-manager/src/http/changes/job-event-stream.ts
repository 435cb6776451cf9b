import { Readable } from 'node:stream';
import type { JobEventFilter } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import type { ChangeSource, StatusChange } from '../../domain/changes/status-change.ts';

/** What a stream of events about jobs needs. */
export interface JobEventStreamOptions {
  readonly filter: JobEventFilter;
  readonly source: Pick<ChangeSource, 'between'>;
  /** The end of the stream, in milliseconds since 1970. */
  readonly endsAt: number;
  /** Called when the reader is too slow, and the stream ends for it. */
  onCutOff(): void;
  /** Default: 15 s. */
  readonly heartbeatMs?: number;
  /** Events that wait for a slow reader at most. Default: 1 000. */
  readonly pendingEvents?: number;
}

/** What the stream begins with: everything after `after`, of which the changes up to `position` have happened before. */
export interface StreamBeginning {
  readonly position: number;
  /** The last event that the reader knows. */
  readonly after: number | undefined;
}

/** The longest delay that a timer supports. */
const longestTimerMs = 2_147_483_647;

/** Changes that a reader who connects again is sent at most, and how many are read at a time. */
const missedAtMost = 10_000;
const pageSize = 500;

/**
 * Server-sent events (WHATWG HTML, section 9.2) about jobs: what the reader has missed, then what happens. Events that wait for a
 * slow reader are bounded: beyond that the stream ends, and the reader can connect again with the id of its last event.
 */
export class JobEventStream extends Readable {
  readonly #options: JobEventStreamOptions;
  readonly #timers: NodeJS.Timeout[];
  #pending: string[] = [];
  /** What was missed is read from the first number to the second before what is pending; `undefined` until `begin`. */
  #missed: { after: number; through: number } | undefined;
  #hasBegun = false;
  #isWanted = false;
  #isLoading = false;
  #isOver = false;

  constructor(options: JobEventStreamOptions) {
    super({ highWaterMark: 64 * 1024 });
    this.#options = options;
    const remainingMs = Math.min(Math.max(0, options.endsAt - Date.now()), longestTimerMs);
    this.#timers = [
      setInterval(() => this.#beat(), options.heartbeatMs ?? 15_000),
      setTimeout(() => this.finish(), remainingMs),
    ];
  }

  /** Sends what was missed, and from then on what `receive` is given, also before. */
  begin({ position, after }: StreamBeginning): void {
    this.#hasBegun = true;
    // Another process may have read further. A number far ahead is that of another database: before a restore, for example.
    const isAhead = after !== undefined && after > position && after - position <= missedAtMost;
    if (after === undefined || isAhead) this.#announce('ready', after ?? position);
    else if (Math.abs(position - after) > missedAtMost) this.#announce('reset', position);
    else {
      this.#announce('ready', after);
      this.#missed = { after, through: position };
    }
  }

  /** Takes changes that have happened. */
  receive(changes: readonly StatusChange[]): void {
    if (this.#isOver) return;
    for (const change of changes) if (this.#matches(change)) this.#pending.push(eventOf(change));
    if (this.#pending.length <= (this.#options.pendingEvents ?? 1_000)) return this.#flush();
    this.#options.onCutOff();
    this.finish();
  }

  /** Ends the stream after what was handed to the reader. */
  finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pending = [];
    this.push(null);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#flush();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    callback(error);
  }

  #matches({ to, queue, contract }: StatusChange): boolean {
    const { filter } = this.#options;
    return (
      (filter.status === undefined || filter.status === to) &&
      (filter.queue === undefined || filter.queue === queue) &&
      (filter.contract === undefined || filter.contract === contract)
    );
  }

  #announce(event: 'ready' | 'reset', id: number): void {
    this.#isWanted = this.push(`id: ${id}\nevent: ${event}\ndata: {}\n\n`);
  }

  #flush(): void {
    if (!this.#hasBegun || !this.#isWanted || this.#isLoading || this.#isOver) return;
    if (this.#missed) {
      void this.#sendMissed(this.#missed);
      return;
    }
    if (this.#pending.length === 0) return;
    const text = this.#pending.join('');
    this.#pending = [];
    this.#isWanted = this.push(text);
  }

  async #sendMissed({ after, through }: { after: number; through: number }): Promise<void> {
    this.#isLoading = true;
    try {
      const changes = await this.#options.source.between(after, through, pageSize);
      const last = changes.at(-1);
      this.#missed = last && changes.length === pageSize ? { after: last.id, through } : undefined;
      const text = changes
        .filter((change) => this.#matches(change))
        .map(eventOf)
        .join('');
      if (text !== '' && !this.#isOver) this.#isWanted = this.push(text);
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error('the changes cannot be read', { cause: error }));
    } finally {
      this.#isLoading = false;
    }
    this.#flush();
  }

  #beat(): void {
    if (this.#isWanted && !this.#isLoading && !this.#isOver) this.#isWanted = this.push(': still here\n\n');
  }
}

/** Each change is written once, however many readers it has. */
const texts = new WeakMap<StatusChange, string>();

function eventOf(change: StatusChange): string {
  const known = texts.get(change);
  if (known !== undefined) return known;
  const { id, jobId, from, to, transition, at, queue, contract, action } = change;
  const data = { id: jobId, from: from ?? null, status: to, transition, at: at.toISOString(), queue, contract, action };
  const text = `id: ${id}\nevent: change\ndata: ${JSON.stringify(data)}\n\n`;
  texts.set(change, text);
  return text;
}
