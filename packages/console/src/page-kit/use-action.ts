import { useRef, useState } from 'react';

/** An action of a dialog: whether it runs, and why it failed last. */
export interface Action {
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  run(): void;
}

/** Runs an action once at a time. A failure stays until the next try. */
export function useAction(act: () => Promise<void>, onDone: () => void): Action {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const [failure, setFailure] = useState<string>();
  const run = async (): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
      onDone();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, failure, run: () => void run() };
}
