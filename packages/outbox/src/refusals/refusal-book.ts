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

/** Refusals of one subject that are recorded one by one in a window. */
const recordedAtMost = 10;

/** Subjects that are told apart in a window; the others are counted together. */
const subjectsAtMost = 200;

const others = '';

/**
 * Records refused operations without letting a client flood the audit log: in each minute the first ten different ones of
 * a subject, and one summary of all others with their number. Of more than 200 subjects in a minute the others are one
 * subject. A process thus appends at most 2 211 records in a minute; one that is killed loses the counts of its last one.
 */
export class RefusalBook implements AsyncDisposable {
  readonly #options: RefusalBookOptions;
  readonly #timer: NodeJS.Timeout;
  #windows = new Map<string, RefusalWindow>();

  constructor(options: RefusalBookOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#summarise(), options.windowMs ?? 60_000).unref();
  }

  /** Resolves when the refusal is recorded or counted. It never rejects. */
  async note({ subject, fact, circumstances }: Refusal): Promise<void> {
    const window = this.#windowOf(subject, circumstances);
    if (window.counts(fact, circumstances)) return;
    await this.#append(composeAuditEvent(fact, circumstances));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#summarise();
  }

  #windowOf(subject: string, circumstances: AuditedCircumstances): RefusalWindow {
    const isKnown = this.#windows.has(subject) || this.#windows.size < subjectsAtMost;
    const key = isKnown ? subject : others;
    let window = this.#windows.get(key);
    if (window === undefined) {
      const shared = { ...circumstances, user: '', context: undefined };
      window = new RefusalWindow(key === others ? shared : circumstances, recordedAtMost);
      this.#windows.set(key, window);
    }
    return window;
  }

  async #summarise(): Promise<void> {
    const windows = this.#windows;
    this.#windows = new Map();
    for (const window of windows.values()) {
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
