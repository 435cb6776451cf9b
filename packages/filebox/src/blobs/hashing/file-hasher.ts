import { Worker } from 'node:worker_threads';
import { storageError } from '../storage-error.ts';

/** What the worker is told. The paths of a file that is followed are tried one after the other: it may be renamed. */
export type HashRequest =
  | { kind: 'digest'; id: number; path: string }
  | { kind: 'follow'; id: number; paths: readonly string[] }
  | { kind: 'grown'; id: number; toBytes: number }
  | { kind: 'end'; id: number; sizeBytes: number }
  | { kind: 'forget'; id: number };

/** What the worker answers, once for each file that is not forgotten. */
export type HashAnswer = { id: number; sha256: Uint8Array } | { id: number; code: string; message: string };

/** The SHA-256 of a file that is being written, computed behind the writer. */
export interface FollowedFile {
  /** So many bytes from the beginning on are in the file, and stay as they are. */
  grown(toBytes: number): void;
  /** SHA-256 of the first bytes, all of which are in the file. Undefined when it has to be had in another way. */
  digest(sizeBytes: number): Promise<Buffer | undefined>;
  /** Nobody will ask. Harmless when somebody has. */
  forget(): void;
}

/** Hashes files on a thread of its own. */
export interface FileHasher extends AsyncDisposable {
  /** SHA-256 of a file as it is now. @throws CodedError `content_missing` */
  digest(path: string): Promise<Buffer>;
  /** Hashes a file while it grows. It may have the second path, if any, when it is looked for under the first in vain. */
  follow(...paths: readonly string[]): FollowedFile;
}

/** Less than this is not worth telling the thread. */
const tellBytes = 1024 * 1024;

/** A hasher whose one thread starts with the first file, and does not keep the process alive by itself. */
export function createFileHasher(): FileHasher {
  let thread: HashingThread | undefined;
  const open = (): HashingThread => {
    if (!thread?.isAlive()) thread = startThread();
    return thread;
  };
  return {
    digest: async (path) => {
      const { ask } = open();
      return ask((id) => ({ kind: 'digest', id, path }));
    },
    follow: (...paths) => followFile(open(), paths),
    [Symbol.asyncDispose]: async () => {
      await thread?.stop();
    },
  };
}

function followFile({ isAlive, nextId, tell, ask }: HashingThread, paths: readonly string[]): FollowedFile {
  const id = nextId();
  let toldBytes = 0;
  tell({ kind: 'follow', id, paths });
  return {
    grown: (toBytes) => {
      if (toBytes - toldBytes < tellBytes) return;
      toldBytes = toBytes;
      tell({ kind: 'grown', id, toBytes });
    },
    digest: async (sizeBytes) => {
      if (!isAlive()) return undefined;
      return ask(() => ({ kind: 'end', id, sizeBytes }), id).catch(() => undefined);
    },
    forget: () => tell({ kind: 'forget', id }),
  };
}

interface HashingThread {
  isAlive(): boolean;
  nextId(): number;
  tell(request: HashRequest): void;
  /** Answers what the thread does, under an id of its own unless there is one already. */
  ask(request: (id: number) => HashRequest, id?: number): Promise<Buffer>;
  stop(): Promise<void>;
}

interface Waiting {
  resolve(sha256: Buffer): void;
  reject(error: unknown): void;
}

function startThread(): HashingThread {
  const waiting = new Map<number, Waiting>();
  const worker = new Worker(new URL('sha256-worker.ts', import.meta.url));
  let lastId = 0;
  let isAlive = true;
  const nextId = (): number => (lastId += 1);
  const failAll = (error: Error): void => {
    isAlive = false;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.unref();
  worker.on('message', (answer: HashAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
    if ('sha256' in answer) asked?.resolve(Buffer.from(answer.sha256));
    else asked?.reject(storageError(Object.assign(new Error(answer.message), { code: answer.code })));
  });
  worker.on('error', failAll);
  worker.on('exit', () => failAll(new Error('the hashing thread has ended')));
  return {
    isAlive: () => isAlive,
    nextId,
    tell: (request) => worker.postMessage(request),
    ask: (request, id = nextId()) =>
      new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage(request(id));
      }),
    stop: async () => {
      await worker.terminate();
    },
  };
}
