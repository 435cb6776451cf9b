import { Worker } from 'node:worker_threads';
import { storageError } from '../storage-error.ts';

/** Messages to the worker. The paths of a followed file are tried one after the other, because it may be renamed. */
export type HashRequest =
  | { kind: 'digest'; id: number; path: string }
  | { kind: 'follow'; id: number; paths: readonly string[] }
  | { kind: 'grown'; id: number; toBytes: number }
  | { kind: 'end'; id: number; sizeBytes: number }
  | { kind: 'forget'; id: number };

/** The worker's response, one for each file that is not forgotten. */
export type HashAnswer = { id: number; sha256: Uint8Array } | { id: number; code: string; message: string };

/** The SHA-256 of a file that is being written, computed concurrently. */
export interface FollowedFile {
  /** This many bytes from the start are in the file, and will not change. */
  grown(toBytes: number): void;
  /** SHA-256 of the first bytes, which must all be in the file. Undefined if it cannot be computed this way. */
  digest(sizeBytes: number): Promise<Buffer | undefined>;
  /** No digest will be requested. Without effect if one was. */
  forget(): void;
}

/** Hashes files on another thread. */
export interface FileHasher extends AsyncDisposable {
  /** SHA-256 of a file in its present state. @throws CodedError `content_missing` */
  digest(path: string): Promise<Buffer>;
  /** Hashes a file while it grows. If it is not found under the first path, the second is tried. */
  follow(...paths: readonly string[]): FollowedFile;
}

/** Growth below this is not reported to the thread. */
const tellBytes = 1024 * 1024;

/** A hasher with one thread, which starts with the first file and does not keep the process alive. */
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
  /** Resolves with the thread's response, under a new id unless one is given. */
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
