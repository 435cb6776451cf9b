import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Gives the memory of used buffers back. */
export interface BufferReclaimer {
  /** So many bytes went through buffers of their own. */
  note(bytes: number): void;
}

/** Each byte of an upload passes two or three such buffers, so that this is less than half of what V8 lets gather. */
const intervalBytes = 8 * 1024 * 1024;

/**
 * Gives the memory of used buffers back in time. V8 does not look at buffers when it decides to collect what is young,
 * which takes a millisecond: it lets some 64 MiB of them gather and then marks the whole heap, many times in every GiB
 * that is transferred, which took more than half of the time of a transfer. So the young ones are collected here; their
 * memory counts as given back only once it is swept, so that is not left to a busy thread; and what is left of them
 * counts as part of the heap, not against that limit of its own.
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

/** V8's flags belong to the process: they are set once, before anything is transferred, and never under its feet. */
let collectYoung: (() => void) | undefined;

function prepareCollector(): () => void {
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 cannot be told to collect garbage');
  return () => void Reflect.apply(collect, undefined, [{ type: 'minor' }]);
}
