/** The parameters of the watchdog's thread. */
export interface WatchedProcess {
  readonly service: string;
  /** The number of the process, if the service has several. */
  readonly processNumber: number | undefined;
  readonly stallMs: number;
  /** The interval of the event loop's heartbeats and of the thread's checks. */
  readonly tickMs: number;
  /** Shared: `beatSlot` counts the beats, `debuggedSlot` is 1 while a debugger is attached. */
  readonly beats: Int32Array<SharedArrayBuffer>;
}

/** Counts the beats of the event loop. */
export const beatSlot = 0;

/** 1 while a debugger is attached. */
export const debuggedSlot = 1;

/**
 * Checks without a heartbeat that count as a stall. The thread counts its own checks instead of reading a clock: if
 * the whole process was suspended, by SIGSTOP or with the machine, it has not checked either.
 */
export const ticksOfStall = 20;
