/** How a part of the platform does. */
export type PartState = 'up' | 'degraded' | 'down' | 'unknown';

/** What a check has found. */
export interface Finding<T> {
  readonly state: PartState;
  /** Why it is not `up`: a sentence without addresses and secrets. */
  readonly reason?: string | undefined;
  /** Absent: those of the last check are kept. */
  readonly details?: T | undefined;
}

/** How a part does, as it was last found. */
export interface PartReport<T> {
  readonly state: PartState;
  readonly since: Date;
  readonly checkedAt: Date | undefined;
  readonly milliseconds: number | undefined;
  readonly reason: string | undefined;
  readonly details: T | undefined;
}

/** A part of the platform that is checked again and again. */
export interface WatchedPart<T> extends Disposable {
  report(): PartReport<T>;
  /** Resolves when the first check has ended, or its time is over. */
  readonly firstLook: Promise<void>;
}

/** How a part is checked. */
export interface PartCheck<T> {
  /** What it is called in a sentence: `PostgreSQL`. */
  readonly name: string;
  readonly intervalMs: number;
  /** A check that takes longer finds the part down. */
  readonly limitMs: number;
  check(): Promise<Finding<T>>;
  /** Called with what made a check fail, when the part was up before. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Checks a part at once and then at intervals. A check that hangs makes the part `down` when its time is over; the next one
 * begins after its end, so that a part that hangs holds one connection or thread at most.
 */
export function watchPart<T>({ name, intervalMs, limitMs, check, failed }: PartCheck<T>): WatchedPart<T> {
  const nothing = { checkedAt: undefined, milliseconds: undefined, reason: undefined, details: undefined };
  let report: PartReport<T> = { state: 'unknown', since: new Date(), ...nothing };
  const note = ({ state, reason, details = report.details }: Finding<T>, begunAt: number): void => {
    const checkedAt = new Date();
    const since = state === report.state ? report.since : checkedAt;
    report = { state, since, checkedAt, milliseconds: performance.now() - begunAt, reason, details };
  };
  let isPending = false;
  const look = async (): Promise<void> => {
    isPending = true;
    const begunAt = performance.now();
    const over = Promise.withResolvers<void>();
    const late = `${name} did not answer within ${limitMs / 1_000} s`;
    const timer = setTimeout(() => {
      note({ state: 'down', reason: late }, begunAt);
      over.resolve();
    }, limitMs);
    const settled = check().then(
      (finding) => finding,
      (error: unknown): Finding<T> => {
        if (report.state !== 'down') failed?.(error);
        return { state: 'down', reason: reasonOf(name, error) };
      },
    );
    const noted = settled.then((finding) => {
      clearTimeout(timer);
      isPending = false;
      // An answer that came too late does not count: the next check tells whether it answers again.
      if (performance.now() - begunAt < limitMs) note(finding, begunAt);
    });
    await Promise.race([noted, over.promise]);
  };
  const firstLook = look();
  const timer = setInterval(() => {
    if (!isPending) void look();
  }, intervalMs);
  timer.unref();
  return { report: () => report, firstLook, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Codes of operating systems and PostgreSQL, which have neither addresses nor secrets. */
const codePattern = /^[A-Z\d_]{3,40}$/u;

/** A sentence for everybody. The message of the error stays in the log: it may have addresses. */
function reasonOf(name: string, error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && codePattern.test(cause.code))
      return `${name} cannot be used: ${cause.code}`;
  }
  return `${name} cannot be used`;
}

const severity: readonly PartState[] = ['up', 'unknown', 'degraded', 'down'];

/** The worst of some states: `up` without any. */
export function worstOf(states: Iterable<PartState>): PartState {
  let worst: PartState = 'up';
  for (const state of states) if (severity.indexOf(state) > severity.indexOf(worst)) worst = state;
  return worst;
}
