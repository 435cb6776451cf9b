import type { FileHandle } from 'node:fs/promises';
import { fillBuffer } from './read-fully.ts';

/** Reads of a file, combined if possible. */
export interface GatheredReads {
  /**
   * Fills a buffer with bytes from an offset; returns their number, which is less than the buffer's size only at the
   * end of the file.
   */
  fill(target: Buffer, offset: number): Promise<number>;
  /** Starts the waiting reads, before the file is closed. */
  begin(): void;
}

interface WaitingRead {
  readonly target: Buffer;
  readonly offset: number;
  readonly answer: PromiseWithResolvers<number>;
}

/** The limit of one combined read: a larger one would delay its first part until the last one is read. */
const mostBytes = 1024 * 1024;

/**
 * Combines adjacent reads that are requested in the same tick: a client that requests several parts at a time costs one
 * trip to Node's thread pool, which takes longer than copying a part from memory.
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
    // A single read starts in the same tick too: the file may be closed in the next one.
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
