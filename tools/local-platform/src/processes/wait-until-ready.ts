import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const readyTimeoutMs = 60_000;
const answerTimeoutMs = 2000;

/**
 * Polls a service until it is ready.
 * @throws Error if it is not ready within a minute, or as soon as `ended` settles
 */
export async function waitUntilReady(
  { name, port, ended }: { name: string; port: number; ended: Promise<unknown> },
  signal: AbortSignal,
): Promise<void> {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const giveUpAtMs = Date.now() + readyTimeoutMs;
  while (!(await isReady(port))) {
    signal.throwIfAborted();
    if (hasEnded) throw new Error(`${name} ended while it started`);
    if (Date.now() > giveUpAtMs) throw new Error(`${name} was not ready within ${readyTimeoutMs / 1000} s`);
    await sleep(50, undefined, { signal });
  }
}

/** Not with `fetch`: each refused connection takes it several times the processor time, while a service starts. */
function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health/ready', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.setTimeout(answerTimeoutMs, () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
