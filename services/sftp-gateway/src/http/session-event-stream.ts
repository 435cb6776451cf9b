import { Readable } from 'node:stream';
import type { LiveSession } from '../domain/sessions/server-session.ts';
import type { SessionChange, SessionFeed } from '../domain/sessions/session-feed.ts';
import { presentLiveSession } from './present-session.ts';

/** What a stream of session events needs. */
export interface SessionEventStreamOptions {
  readonly feed: SessionFeed;
  /** The present sessions. */
  snapshot(): Promise<readonly LiveSession[]>;
  /** The end of the stream, in milliseconds since 1970. */
  readonly endsAt: number;
  /** Default: 15 s. */
  readonly heartbeatMs?: number;
  /** Sessions with changes that wait for a slow reader; beyond this number a snapshot replaces them. Default: 1 000. */
  readonly pendingSessions?: number;
}

/** The longest delay that a timer supports. */
const longestTimerMs = 2_147_483_647;

/**
 * Server-sent events (WHATWG HTML, section 9.2) about sessions: a snapshot, then the changes. Of the changes that wait
 * for the reader the newest of each session is kept; if they become too many, or some were missed, a new snapshot
 * replaces them.
 */
export class SessionEventStream extends Readable {
  readonly #options: SessionEventStreamOptions;
  readonly #pending = new Map<string, SessionChange>();
  readonly #stopListening: () => void;
  readonly #timers: NodeJS.Timeout[];
  #isWanted = false;
  #needsSnapshot = true;
  #isLoading = false;
  #isOver = false;

  constructor(options: SessionEventStreamOptions) {
    super({ highWaterMark: 64 * 1024 });
    this.#options = options;
    this.#stopListening = options.feed.listen({
      changed: (changes) => this.#take(changes),
      missed: () => this.#startOver(),
    });
    const remainingMs = Math.min(Math.max(0, options.endsAt - Date.now()), longestTimerMs);
    this.#timers = [
      setInterval(() => this.#beat(), options.heartbeatMs ?? 15_000),
      setTimeout(() => this.finish(), remainingMs),
    ];
  }

  /** Ends the stream after its pending content. */
  finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.push(null);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#flush();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#stopListening();
    for (const timer of this.#timers) clearTimeout(timer);
    callback(error);
  }

  #take(changes: readonly SessionChange[]): void {
    for (const change of changes) {
      const id = change.kind === 'ended' ? change.sessionId : change.live.session.sessionId;
      const isStillNew = change.kind === 'changed' && this.#pending.get(id)?.kind === 'opened';
      this.#pending.set(id, isStillNew ? { kind: 'opened', live: change.live } : change);
    }
    if (this.#pending.size > (this.#options.pendingSessions ?? 1_000)) this.#startOver();
    else this.#flush();
  }

  #startOver(): void {
    this.#pending.clear();
    this.#needsSnapshot = true;
    this.#flush();
  }

  #flush(): void {
    if (!this.#isWanted || this.#isLoading || this.#isOver || this.destroyed) return;
    if (this.#needsSnapshot) {
      void this.#sendSnapshot();
      return;
    }
    if (this.#pending.size === 0) return;
    const text = [...this.#pending.values()].map(eventOf).join('');
    this.#pending.clear();
    this.#send(text);
  }

  async #sendSnapshot(): Promise<void> {
    this.#isLoading = true;
    this.#needsSnapshot = false;
    try {
      const sessions = (await this.#options.snapshot()).map(presentLiveSession);
      if (!this.#isOver && !this.destroyed) {
        this.#send(`event: snapshot\ndata: ${JSON.stringify({ sessions })}\n\n`);
      }
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error('no snapshot is available', { cause: error }));
    } finally {
      this.#isLoading = false;
    }
    this.#flush();
  }

  #beat(): void {
    if (this.#isWanted && !this.#isLoading && !this.#isOver) this.#send(': still here\n\n');
  }

  #send(text: string): void {
    this.#isWanted = this.push(text);
  }
}

function eventOf(change: SessionChange): string {
  const data = change.kind === 'ended' ? { sessionId: change.sessionId } : presentLiveSession(change.live);
  return `event: ${change.kind}\ndata: ${JSON.stringify(data)}\n\n`;
}
