import type { Transfer } from './transfer.ts';

/** How far an upload is. */
export type Progress = Pick<Transfer, 'sentBytes' | 'bytesPerSecond' | 'delay'>;

/** What an upload tells of itself. */
export interface UploadProgress {
  sent(bytes: number): void;
  /** The last try was refused, and is repeated. */
  delayed(reason: string): void;
  /** Whether something was sent or refused lately. */
  isGoingOn(): boolean;
  stop(): void;
}

/** Progress is reported four times a second at most, and once a second where nothing is sent: the speed falls then. */
const reportMs = { least: 250, idle: 1_000 } as const;

/** Longer than a request waits that is tried again. Nothing is sent for longer if the network is silent. */
const silentAtMostMs = 120_000;

/** Reports the progress of an upload until it is stopped. */
export function createProgress(report: (progress: Progress) => void): UploadProgress {
  const measure = createSpeedometer();
  let sentBytes = 0;
  let delay: string | undefined;
  let reportedAtMs = 0;
  let wentOnAtMs = performance.now();
  const tell = (now: number): void => {
    const bytesPerSecond = measure(sentBytes, now);
    if (now - reportedAtMs < reportMs.least) return;
    reportedAtMs = now;
    report({ sentBytes, bytesPerSecond, delay });
  };
  const idle = setInterval(() => {
    const now = performance.now();
    if (now - reportedAtMs >= reportMs.idle) tell(now);
  }, reportMs.idle);
  return {
    sent(bytes) {
      wentOnAtMs = performance.now();
      sentBytes = bytes;
      // What is sent again has not arrived yet: the reason stands until more than that has been sent.
      if (bytes > 0) delay = undefined;
      tell(performance.now());
    },
    delayed(reason) {
      wentOnAtMs = performance.now();
      delay = reason;
      reportedAtMs = 0;
      tell(performance.now());
    },
    isGoingOn: () => performance.now() - wentOnAtMs < silentAtMostMs,
    stop: () => clearInterval(idle),
  };
}

/** The speed over the last five seconds. */
function createSpeedometer(): (bytes: number, nowMs: number) => number {
  const samples: { bytes: number; atMs: number }[] = [];
  return (bytes, atMs) => {
    samples.push({ bytes, atMs });
    while (samples.length > 2 && atMs - (samples[0]?.atMs ?? atMs) > 5_000) samples.shift();
    const first = samples[0];
    return first === undefined || atMs === first.atMs ? 0 : ((bytes - first.bytes) / (atMs - first.atMs)) * 1_000;
  };
}
