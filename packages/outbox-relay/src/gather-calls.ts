/** A function that runs once for many calls. */
export interface GatheredCall extends AsyncDisposable {
  call(): void;
}

/**
 * Runs `work` this long after a call, once for all calls until then. `work` handles its own failures. Disposing runs
 * pending work immediately, and waits for it.
 */
export function gatherCalls(work: () => Promise<void>, gatherMs: number): GatheredCall {
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    timer = undefined;
    const run: Promise<void> = work().finally(() => running.delete(run));
    running.add(run);
  };
  return {
    call: () => {
      timer ??= setTimeout(run, gatherMs);
    },
    [Symbol.asyncDispose]: async () => {
      if (timer !== undefined) {
        clearTimeout(timer);
        run();
      }
      await Promise.all(running);
    },
  };
}
