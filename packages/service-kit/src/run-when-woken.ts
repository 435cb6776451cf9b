/** A task that runs when it is woken. */
export interface WokenLoop extends AsyncDisposable {
  wake(): void;
}

/**
 * Runs `work` once per wake-up, never concurrently; wake-ups during a run cause one more run. Disposing waits for the
 * run. `work` handles its own failures.
 */
export function runWhenWoken(work: () => Promise<void>): WokenLoop {
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      await work();
    } while (again);
    running = undefined;
  };
  return {
    wake: () => {
      if (closed) return;
      if (running) again = true;
      else running = run();
    },
    [Symbol.asyncDispose]: async () => {
      closed = true;
      again = false;
      await running;
    },
  };
}
