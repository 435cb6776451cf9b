import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 30_000;

/** Waits until an address responds, with any status. */
export async function waitForHttp(url: string): Promise<void> {
  const giveUpAtMs = Date.now() + patienceMs;
  for (;;) {
    try {
      await (await fetch(url, { signal: AbortSignal.timeout(2_000) })).arrayBuffer();
      return;
    } catch (cause) {
      if (Date.now() > giveUpAtMs) throw new Error(`nothing answers at ${url}`, { cause });
      await sleep(50);
    }
  }
}
