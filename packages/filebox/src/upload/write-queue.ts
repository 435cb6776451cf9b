const batchChunks = 128;
const batchBytes = 4 * 1024 * 1024;

/** Writes of one file, one after the other. */
export interface WriteQueue {
  /** Answers when the chunk is written. After a failure everything fails with it. */
  push(chunk: Uint8Array, offset: number): Promise<void>;
  /** Runs work that must not meet a write, after those before it and before those after it. */
  run(work: () => Promise<void>): Promise<void>;
  /** Answers when nothing is left to do. @throws the first failure */
  idle(): Promise<void>;
}

interface Task {
  chunk: Uint8Array | undefined;
  offset: number;
  work: () => Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * A queue that keeps the order of its calls. Chunks that have gathered behind a running write and follow each other
 * in the file are written together.
 */
export function createWriteQueue(write: (chunks: Uint8Array[], offset: number) => Promise<void>): WriteQueue {
  let tasks: Task[] = [];
  let draining: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;

  const drain = async (): Promise<void> => {
    while (tasks.length > 0 && !failure) {
      const batch = nextBatch(tasks);
      tasks = tasks.slice(batch.length);
      try {
        await perform(batch, write);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        failure = { error };
        tasks = [...batch, ...tasks];
      }
    }
    draining = undefined;
    if (!failure) return;
    for (const { reject } of tasks) reject(failure.error);
    tasks = [];
  };
  const add = async (task: Pick<Task, 'chunk' | 'offset' | 'work'>): Promise<void> => {
    if (failure) throw failure.error;
    const done = new Promise<void>((resolve, reject) => tasks.push({ ...task, resolve, reject }));
    draining ??= drain();
    return done;
  };

  return {
    push: (chunk, offset) => add({ chunk, offset, work: noWork }),
    run: (work) => add({ chunk: undefined, offset: 0, work }),
    idle: async () => {
      await draining;
      if (failure) throw failure.error;
    },
  };
}

async function noWork(): Promise<void> {}

async function perform(batch: readonly Task[], write: (chunks: Uint8Array[], offset: number) => Promise<void>) {
  const [first] = batch;
  const chunks = batch.flatMap(({ chunk }) => (chunk ? [chunk] : []));
  if (first && chunks.length > 0) await write(chunks, first.offset);
  else await first?.work();
}

/** The first task and those chunks behind it that go on where it ends. */
function nextBatch(tasks: readonly Task[]): Task[] {
  const batch: Task[] = [];
  let end: number | undefined;
  let bytes = 0;
  for (const task of tasks) {
    const follows = end === undefined || (task.chunk !== undefined && task.offset === end);
    if (!follows || batch.length === batchChunks || (bytes >= batchBytes && batch.length > 0)) break;
    batch.push(task);
    if (!task.chunk) break;
    end = task.offset + task.chunk.byteLength;
    bytes += task.chunk.byteLength;
  }
  return batch;
}
