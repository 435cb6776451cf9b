import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Releases the memory of used buffers. */
export interface BufferReclaimer {
  /** This many bytes passed through newly allocated buffers. */
  note(bytes: number): void;
}

/**
 * Each byte of an upload passes two or three such buffers, so that this is less than half of what V8 lets accumulate.
 */
const intervalBytes = 8 * 1024 * 1024;

/**
 * Releases the memory of used buffers in time. V8 does not consider buffers when it schedules a collection of the young
 * generation, which takes a millisecond: it lets some 64 MiB of them accumulate and then marks the whole heap, many
 * times in every GiB that is transferred, which took more than half of the time of a transfer. So the young generation
 * is collected here. Its memory counts as released only after sweeping, so sweeping is not left to a busy thread; and
 * what survives counts as part of the heap, not against the separate limit of buffers.
 */
export function createBufferReclaimer(): BufferReclaimer {
  const collect = (collectYoung ??= prepareCollector());
  let pendingBytes = 0;
  return {
    note: (bytes) => {
      pendingBytes += bytes;
      if (pendingBytes < intervalBytes) return;
      pendingBytes = 0;
      collect();
    },
  };
}

/** V8's flags belong to the process: they are set once, before any transfer, and never during one. */
let collectYoung: (() => void) | undefined;

function prepareCollector(): () => void {
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 cannot be told to collect garbage');
  return () => void Reflect.apply(collect, undefined, [{ type: 'minor' }]);
}

let ofThisThread: BufferReclaimer | undefined;

/** Notes bytes that passed through newly allocated buffers of this thread. */
export function noteBytes(bytes: number): void {
  ofThisThread ??= createBufferReclaimer();
  ofThisThread.note(bytes);
}
