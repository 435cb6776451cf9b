import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../telemetry/logger.ts';
import { beatSlot, debuggedSlot, ticksOfStall, type WatchedProcess } from './watched-process.ts';

/**
 * Watches the event loop of this process from a separate thread. If the loop is blocked for `stallMs`, the thread
 * logs where, and ends the process with exit code 70, or with SIGKILL if JavaScript cannot be interrupted. 0
 * disables the watchdog. It ignores a process with a debugger attached.
 */
export function startWatchdog(options: {
  readonly service: string;
  readonly processNumber?: number | undefined;
  readonly stallMs: number;
  readonly logger: Logger;
}): void {
  const { service, processNumber, stallMs, logger } = options;
  if (stallMs === 0) return;
  const beats = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const tickMs = stallMs / ticksOfStall;
  const beat = (): void => {
    Atomics.add(beats, beatSlot, 1);
    Atomics.store(beats, debuggedSlot, debuggerUrl() === undefined ? 0 : 1);
  };
  setInterval(beat, tickMs).unref();
  const watched: WatchedProcess = { service, processNumber, stallMs, tickMs, beats };
  const thread = new Worker(new URL('watchdog-thread.ts', import.meta.url), {
    // The thread needs neither preloaded modules nor the service's secrets.
    execArgv: [],
    env: {},
  });
  thread.on('error', (error) => logger.error({ err: error }, 'the watchdog has ended: a stall will not be noticed'));
  thread.postMessage(watched);
  thread.unref();
}
