import {
  type AuditedCircumstances,
  type AuditedFact,
  composeAuditEvent,
} from '@waybill/contracts/messages/audit-catalogue';
import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import { RefusalWindow } from './refusal-window.ts';

/** A refused operation. */
export interface Refusal {
  /** Who is counted: a session, or a user at an address. */
  readonly subject: string;
  readonly fact: AuditedFact;
  /** `context.outcome` is the code of the error. */
  readonly circumstances: AuditedCircumstances;
}

/** Where refusals are recorded. */
export interface RefusalBookOptions {
  append(event: AuditEvent): Promise<void>;
  /** A refusal could not be recorded. */
  failed(error: unknown): void;
  /** What summarises the refusals that are only counted. */
  readonly summary: Extract<AuditedFact, 'operationsRefused' | 'requestsRefused' | 'auditReadsCounted'>;
  /** A minute by default. */
  readonly windowMs?: number;
}

/** The window of one subject. */
interface OpenWindow {
  readonly window: RefusalWindow;
  /** On the clock of `performance.now()`. */
  readonly endsAtMs: number;
}

/** The errors whose refusals are audited. */
const audited = new WeakSet<object>();

/** Notes that a refusal with this error as its reason is audited, so that it is not audited again. */
export function noteAudited(error: unknown): void {
  if (typeof error === 'object' && error !== null) audited.add(error);
}

/** Whether a refusal with this error, or with one of its causes, is audited. */
export function isAudited(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (audited.has(cause)) return true;
  return false;
}

/** Refusals of one subject that are recorded one by one in a window. */
const recordedAtMost = 10;

/** Subjects that are told apart in a window; the others are counted together. */
const subjectsAtMost = 200;

const others = '';

/**
 * Records refused operations without letting a client flood the audit log. The minute of a subject begins with its first
 * refusal: in it the first ten different ones are recorded, and one summary of all others with their number. Of more than
 * 200 subjects at a time the others are one subject. A process thus appends at most 2 211 records in a minute; one that is
 * killed loses the counts of these minutes.
 */
export class RefusalBook implements AsyncDisposable {
  readonly #options: RefusalBookOptions;
  readonly #windowMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #windows = new Map<string, OpenWindow>();

  constructor(options: RefusalBookOptions) {
    this.#options = options;
    this.#windowMs = options.windowMs ?? 60_000;
    this.#timer = setInterval(() => void this.#summarise(performance.now()), this.#windowMs / 12).unref();
  }

  /** Resolves when the refusal is recorded or counted. It never rejects. */
  async note({ subject, fact, circumstances }: Refusal): Promise<void> {
    const window = this.#windowOf(subject, circumstances);
    if (window.counts(fact, circumstances)) return;
    await this.#append(composeAuditEvent(fact, circumstances));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#summarise(Number.POSITIVE_INFINITY);
  }

  #windowOf(subject: string, circumstances: AuditedCircumstances): RefusalWindow {
    const isKnown = this.#windows.has(subject) || this.#windows.size < subjectsAtMost;
    const key = isKnown ? subject : others;
    const open = this.#windows.get(key);
    if (open !== undefined) return open.window;
    const shared = { ...circumstances, user: '', context: undefined, names: { caller: 'A group of callers' } };
    const window = new RefusalWindow(key === others ? shared : circumstances, recordedAtMost);
    this.#windows.set(key, { window, endsAtMs: performance.now() + this.#windowMs });
    return window;
  }

  /** Ends the windows whose time is over. */
  async #summarise(nowMs: number): Promise<void> {
    const ended = [...this.#windows].filter(([, { endsAtMs }]) => endsAtMs <= nowMs);
    for (const [subject] of ended) this.#windows.delete(subject);
    for (const [, { window }] of ended) {
      const circumstances = window.summary();
      if (circumstances !== undefined) await this.#append(composeAuditEvent(this.#options.summary, circumstances));
    }
  }

  async #append(event: AuditEvent): Promise<void> {
    try {
      await this.#options.append(event);
    } catch (error) {
      this.#options.failed(error);
    }
  }
}
