/**
 * The longest time for which the event loop of this thread, which is that of the service, computed without a pause. Time that
 * other processes take of the machine does not count.
 */
export function watchEventLoop(): { longestMs(): number } {
  let [longest, last] = [0, process.threadCpuUsage()];
  const tick = (): void => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - last.user - last.system);
    last = now;
  };
  const timer = setInterval(tick, 1);
  return {
    longestMs: () => {
      clearInterval(timer);
      tick();
      return longest / 1_000;
    },
  };
}

/** The most that this thread, which is that of the service, has computed for others between a request and its response. */
export async function longestWaitMs(ask: () => Promise<unknown>, others: Promise<unknown>): Promise<number> {
  let longest = 0;
  const over = new AbortController();
  const stop = (): void => over.abort();
  others.then(stop, stop);
  while (!over.signal.aborted) {
    const before = process.threadCpuUsage();
    await ask();
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
  }
  await others;
  return longest / 1_000;
}

/** Four connections that each send the same request five times. Returns the statuses that they got. */
export async function sendFourfold(send: () => Promise<number>): Promise<number[]> {
  const statuses = new Set<number>();
  const connection = async (): Promise<void> => {
    for (let sent = 0; sent < 5; sent += 1) statuses.add(await send());
  };
  await Promise.all([connection(), connection(), connection(), connection()]);
  return [...statuses];
}
