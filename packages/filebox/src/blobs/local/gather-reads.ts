import type { FileHandle } from 'node:fs/promises';
import { fillBuffer } from './fill-buffer.ts';

/** Reads of a file that are made together where they can be. */
export interface GatheredReads {
  /** Fills a buffer with bytes from an offset; answers with how many, fewer only at the end of the file. */
  fill(target: Buffer, offset: number): Promise<number>;
  /** Begins what waits for others to come, before the file is closed. */
  begin(): void;
}

interface WaitingRead {
  readonly target: Buffer;
  readonly offset: number;
  readonly answer: PromiseWithResolvers<number>;
}

/** Of one read: more would keep the first of them waiting for the last. */
const mostBytes = 1024 * 1024;

/**
 * Makes one read of those that are asked for in the same moment and follow one another: a client that asks for several
 * parts at a time costs one trip to Node's threads, which takes longer than to copy a part that is in memory.
 */
export function gatherReads(handle: FileHandle): GatheredReads {
  let waiting: WaitingRead[] = [];
  const begin = (): void => {
    const reads = waiting;
    waiting = [];
    for (const sequence of sequencesOf(reads)) void readSequence(handle, sequence);
  };
  return {
    fill: (target, offset) => {
      const answer = Promise.withResolvers<number>();
      waiting.push({ target, offset, answer });
      if (waiting.length === 1) process.nextTick(begin);
      return answer.promise;
    },
    begin,
  };
}

function sequencesOf(reads: readonly WaitingRead[]): WaitingRead[][] {
  const sequences: WaitingRead[][] = [];
  let [end, bytes] = [-1, 0];
  for (const read of reads) {
    const { offset, target } = read;
    const sequence = sequences.at(-1);
    bytes += target.length;
    if (sequence !== undefined && offset === end && bytes <= mostBytes) sequence.push(read);
    else {
      sequences.push([read]);
      bytes = target.length;
    }
    end = offset + target.length;
  }
  return sequences;
}

async function readSequence(handle: FileHandle, reads: readonly WaitingRead[]): Promise<void> {
  try {
    const targets = reads.map(({ target }) => target);
    // A read that is alone begins in this very moment, too: the file may be closed in the next.
    let left = targets.length > 1 ? (await handle.readv(targets, reads[0]?.offset)).bytesRead : 0;
    for (const { target, offset, answer } of reads) {
      const filled = Math.min(left, target.length);
      left -= filled;
      const isFull = filled === target.length;
      answer.resolve(isFull ? filled : filled + (await fillBuffer(handle, target.subarray(filled), offset + filled)));
    }
  } catch (error) {
    for (const { answer } of reads) answer.reject(error);
  }
}
