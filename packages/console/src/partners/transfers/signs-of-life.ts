/** The tab that has the lock of an upload. */
export interface LockHolder {
  /** Whether the upload goes on: otherwise, another tab that waits for it takes the lock. */
  isGoingOn(): boolean;
  /** Another tab has taken the lock, because this one gave no sign of life: it must not send any more. */
  lost(): void;
}

/** How often a tab that waits for a lock asks the one that has it for a sign of life, in milliseconds. */
const askEveryMs = 2_000;

/** So many questions in a row without an answer, and the tab hangs. (It may be busy for a moment.) */
const unansweredAtMost = 5;

/** Browsers deliver messages to tabs in the background at once, while they slow down their timers: holders answer, and do not count time. */
const channel = new BroadcastChannel('waybill-upload-holders');

interface Message {
  readonly kind: 'ask' | 'going-on';
  readonly lock: string;
}

const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && 'kind' in data && 'lock' in data;

/** Calls back with each message about a lock, and returns what ends this. */
function listen(lock: string, kind: Message['kind'], listener: () => void): () => void {
  const hear = ({ data }: MessageEvent<unknown>): void => {
    if (isMessage(data) && data.lock === lock && data.kind === kind) listener();
  };
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}

/** Answers the tabs that wait for a lock of this one, until the end. */
export function answerAsks(lock: string, holder: LockHolder, end: Promise<void>): void {
  const stop = listen(lock, 'ask', () => {
    if (holder.isGoingOn()) channel.postMessage({ kind: 'going-on', lock } satisfies Message);
  });
  void end.then(stop);
}

/** Takes a lock from a tab that hangs, and lets it go at once, so that those who wait for it get it. Questions are asked while `isWaiting`. */
export function askHolder(lock: string, isWaiting: () => boolean): { stop(): void } {
  let unanswered = 0;
  const stopListening = listen(lock, 'going-on', () => {
    unanswered = 0;
  });
  const ask = (): void => {
    if (!isWaiting()) {
      stop();
      return;
    }
    if (unanswered === unansweredAtMost) {
      unanswered = 0;
      // Another tab may do the same at this moment.
      navigator.locks.request(lock, { steal: true }, () => undefined).catch(() => undefined);
      return;
    }
    unanswered += 1;
    channel.postMessage({ kind: 'ask', lock } satisfies Message);
  };
  const timer = setInterval(ask, askEveryMs);
  const stop = (): void => {
    clearInterval(timer);
    stopListening();
  };
  ask();
  return { stop };
}
