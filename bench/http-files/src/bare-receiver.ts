import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createFileHasher } from '@waybill/filebox/blobs/hashing/file-hasher';
import { releaseMemory } from '@waybill/filebox/blobs/local/release-memory';

/*
 * The minimal cost of a PUT in Node: the body is received, hashed on a separate thread, written and synced, without
 * authentication, an index or events. Then the file is deleted. Takes folder and port as arguments.
 */
const [folder = '.', port = '0'] = process.argv.slice(2);

/** How much may wait for the disk, and how far the disk may be behind: the limits of the service. */
const waitingBytesAtMost = 2 * 1024 * 1024;
const writeBackBytes = 64 * 1024 * 1024;

const hasher = createFileHasher();
createServer((request, response) => {
  const path = join(folder, randomUUID());
  store(request, path)
    .then(
      () => response.writeHead(201).end(),
      () => response.destroy(),
    )
    .finally(() => void rm(path));
}).listen(Number(port), '127.0.0.1');

async function store(request: IncomingMessage, path: string): Promise<void> {
  await using file = await open(path, 'wx');
  const followed = hasher.follow(path);
  const size = await writeAll(request, file, followed.grown);
  await file.sync();
  if ((await followed.digest(size)) === undefined) throw new Error('the hash is missing');
}

/** Writes what has arrived while the disk was busy in one call, and returns the total. */
async function writeAll(request: IncomingMessage, file: FileHandle, onWritten: (toBytes: number) => void) {
  const whole = Promise.withResolvers<number>();
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let writtenBytes = 0;
  let syncedBytes = 0;
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const chunks = waiting;
      const bytes = waitingBytes;
      waiting = [];
      await file.writev(chunks, writtenBytes);
      for (const chunk of chunks) releaseMemory(chunk);
      writtenBytes += bytes;
      waitingBytes -= bytes;
      onWritten(writtenBytes);
      if (waitingBytes < waitingBytesAtMost) request.resume();
      if (writtenBytes - syncedBytes > writeBackBytes) {
        syncedBytes = writtenBytes;
        file.datasync().catch(whole.reject);
      }
    }
    isWriting = false;
    if (request.readableEnded) whole.resolve(writtenBytes);
  };
  const next = (): void => {
    if (!isWriting) write().catch(whole.reject);
  };
  request.on('data', (chunk: Buffer) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= waitingBytesAtMost) request.pause();
    next();
  });
  request.on('end', next).on('error', whole.reject);
  return whole.promise;
}
