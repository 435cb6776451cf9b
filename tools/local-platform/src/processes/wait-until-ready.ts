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

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
