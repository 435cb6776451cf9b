import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { followReplays, replayDeliveries, type ReplayResult } from './replay-deliveries.ts';

/** The replay of some deliveries. */
export interface Replay {
  readonly stage: 'asked' | 'running' | 'done';
  readonly results: readonly ReplayResult[];
  /** Why what the workers do cannot be followed. */
  readonly failure: string | undefined;
  run(): void;
}

/** Replays deliveries when told to, and follows what comes of each while the component is shown. */
export function useReplay(ids: readonly number[]): Replay {
  const client = useQueryClient();
  const [stage, setStage] = useState<Replay['stage']>('asked');
  const [results, setResults] = useState<ReadonlyMap<number, ReplayResult>>(new Map());
  const [failure, setFailure] = useState<string>();
  const stop = useRef<AbortController>(undefined);
  // Leaving stops it: deliveries that were not reached are not replayed.
  useEffect(() => () => stop.current?.abort(), []);
  const note = (result: ReplayResult): void => setResults((known) => new Map(known).set(result.id, result));
  const perform = async (): Promise<void> => {
    const { signal } = (stop.current = new AbortController());
    const pending: [number, number][] = [];
    const begun = (result: ReplayResult): void => {
      note(result);
      if (result.replay) pending.push([result.id, result.replay.id]);
    };
    setStage('running');
    try {
      await replayDeliveries(ids, begun, signal);
      setStage('done');
      await followReplays(pending, note, signal);
    } catch (error) {
      if (!signal.aborted) setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      void client.invalidateQueries({ queryKey: ['webhooks'] });
    }
  };
  return { stage, results: [...results.values()], failure, run: () => void perform() };
}
