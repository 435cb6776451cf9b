import { useRef, useState } from 'react';

/** An action of a dialog: whether it runs, and why it failed last. */
export interface Action<A extends readonly unknown[] = []> {
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  run(...args: A): void;
}

/** Runs an action once at a time. A failure stays until the next try. */
export function useAction<A extends readonly unknown[] = []>(
  act: (...args: A) => Promise<void>,
  onDone: () => void,
): Action<A> {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const [failure, setFailure] = useState<string>();
  const run = async (...args: A): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      await act(...args);
      onDone();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, failure, run: (...args) => void run(...args) };
}
