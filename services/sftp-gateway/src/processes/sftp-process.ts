import cluster, { type Worker } from 'node:cluster';
import { reportSchema, type Order, type Question } from './process-messages.ts';

/** How a process ended. */
export interface ProcessEnd {
  /** `exit code 0`, the name of a signal, or its own message. */
  readonly reason: string;
  readonly isClean: boolean;
  /** A signal for the whole process group ended it before it could leave such signals to its supervisor. */
  readonly isInterrupted: boolean;
}

const groupSignals: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT']);

const answerTimeoutMs = 2_000;

/** A child process that serves SFTP on the shared port, from its start to its end. */
export class SftpProcess {
  readonly beganAt = performance.now();
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<number>();
  readonly #ended = Promise.withResolvers<ProcessEnd>();
  readonly #answers = new Map<number, (answer: unknown) => void>();
  #questions = 0;
  #saidOfItself: string | undefined;
  #isServing = false;
  #isStopping = false;

  constructor(processNumber: number) {
    this.#worker = cluster.fork({ SFTP_PROCESS_NUMBER: String(processNumber) });
    this.#worker.on('message', (message: unknown) => this.#hear(message));
    this.#worker.once('exit', (code: number | null, signal: string | null) =>
      this.#end({
        reason: code === null ? (signal ?? 'an unknown end') : `exit code ${code}`,
        isClean: code === 0,
        isInterrupted: groupSignals.has(signal ?? ''),
      }),
    );
    // It could not be started.
    this.#worker.once('error', ({ message }) => this.#end({ reason: message, isClean: false, isInterrupted: false }));
    // For a replacement process nothing awaits this.
    this.#ready.promise.catch(() => {});
  }

  /** The port, as soon as partners are served; rejects if the process ends before. */
  get ready(): Promise<number> {
    return this.#ready.promise;
  }

  /** Whether it has reported that it serves partners. */
  get isServing(): boolean {
    return this.#isServing;
  }

  /** Never rejects. */
  get ended(): Promise<ProcessEnd> {
    return this.#ended.promise;
  }

  /** Lets it drain; `ended` resolves when that is done. */
  stop(): void {
    this.#isStopping = true;
    this.#order({ kind: 'stop' });
  }

  /** Rejects if there is no answer within 2 s. */
  async ask(question: Question): Promise<unknown> {
    this.#questions += 1;
    const id = this.#questions;
    const answered = Promise.withResolvers<unknown>();
    const silence = () => answered.reject(new Error(`no answer within ${answerTimeoutMs} ms`));
    const timer = setTimeout(silence, answerTimeoutMs);
    this.#answers.set(id, answered.resolve);
    try {
      this.#order({ kind: 'ask', id, question });
      return await answered.promise;
    } finally {
      clearTimeout(timer);
      this.#answers.delete(id);
    }
  }

  #order(order: Order): void {
    // A message that cannot be sent shows in its end, or in its silence.
    if (this.#worker.isConnected()) this.#worker.send(order, () => {});
  }

  #hear(message: unknown): void {
    const report = reportSchema.parse(message);
    if (report.kind === 'ready') {
      this.#isServing = true;
      this.#ready.resolve(report.sftpPort);
      // It may not have been listening when it was told first.
      if (this.#isStopping) this.stop();
    } else if (report.kind === 'failed') this.#saidOfItself = report.reason;
    else this.#answers.get(report.id)?.(report.answer);
  }

  #end(observed: ProcessEnd): void {
    const end = { ...observed, reason: this.#saidOfItself ?? observed.reason };
    this.#ended.resolve(end);
    this.#ready.reject(new Error(end.reason));
  }
}
