import type { Query } from '@tanstack/react-query';

/** What a page shows although it cannot be read again. */
export interface OldReading {
  /** When the oldest of it was read, in milliseconds since 1970. */
  readonly readAtMs: number;
  /** Why that cannot be read again. */
  readonly reason: string;
}

/** What is known of something that has been read. */
interface ReadState {
  readonly state: Pick<Query['state'], 'data' | 'error' | 'dataUpdatedAt'>;
  /** Whether the page shows it. */
  isActive(): boolean;
}

/**
 * The oldest of what a page shows and could not read again; undefined if there is nothing like this. Refusals are none of it: they say
 * so where they happen.
 */
export function oldestReading(
  queries: readonly ReadState[],
  isRefused: (error: Error) => boolean,
): OldReading | undefined {
  let oldest: OldReading | undefined;
  for (const query of queries) {
    const { data, error, dataUpdatedAt: readAtMs } = query.state;
    if (data === undefined || error === null || isRefused(error) || !query.isActive()) continue;
    if (oldest === undefined || readAtMs < oldest.readAtMs) oldest = { readAtMs, reason: error.message };
  }
  return oldest;
}
