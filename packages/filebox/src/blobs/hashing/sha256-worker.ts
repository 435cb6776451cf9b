import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { createFileFollower } from './file-follower.ts';
import type { HashAnswer, HashRequest } from './file-hasher.ts';

const chunkBytes = 1024 * 1024;

const reply = (answer: HashAnswer): void => parentPort?.postMessage(answer);
const follower = createFileFollower({
  onDigest: (id, sha256) => reply({ id, sha256 }),
  onFailure: (id, error) => reply(failureOf(id, error)),
});

parentPort?.on('message', (request: HashRequest) => {
  if (request.kind === 'digest') void digest(request.id, request.path);
  else follower.note(request);
});

async function digest(id: number, path: string): Promise<void> {
  try {
    reply({ id, sha256: await sha256Of(path) });
  } catch (error) {
    reply(failureOf(id, error));
  }
}

function failureOf(id: number, error: unknown): HashAnswer {
  return { id, code: error instanceof Error && 'code' in error ? String(error.code) : '', message: String(error) };
}

// Alternates with the other files requested meanwhile: a big one does not delay a small one.
async function sha256Of(path: string): Promise<Uint8Array> {
  await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes);
    if (bytesRead === 0) return hash.digest();
    hash.update(buffer.subarray(0, bytesRead));
  }
}
