/** One change of a path that the platform acknowledged: a content by its SHA-256, or undefined for a removal. */
interface Change {
  readonly startedAt: number;
  readonly acknowledgedAt: number;
  readonly sha256: string | undefined;
}

/** From before a backup began until after it ended, in milliseconds of `performance.now()`. */
export interface Interval {
  readonly began: number;
  readonly ended: number;
}

/** What clients know of the files that they changed. */
export interface Ledger {
  /** Changes a path, and writes it down when that was acknowledged. The changes of one path follow each other. */
  change(paths: readonly string[], sha256: string | undefined, work: () => Promise<void>): Promise<void>;
  paths(): readonly string[];
  /** What a path may have after the restore of a backup; undefined for nothing. One value where nothing changed meanwhile. */
  possible(path: string, backup: Interval): readonly (string | undefined)[];
  /** True when a content of the path came and went while the backup was made: neither copy of the files need have it. */
  cameAndWent(path: string, backup: Interval): boolean;
  /** True when a content was being stored while the backup was made. */
  wasUnderWay(path: string, backup: Interval): boolean;
  /** Paths that have a content which was acknowledged after the backup: they are lost by it. */
  storedAfter(backup: Interval): readonly string[];
}

/** An empty ledger. */
export function createLedger(): Ledger {
  const changes = new Map<string, Change[]>();
  const changesOf = (path: string): readonly Change[] => changes.get(path) ?? [];
  return {
    change: async (paths, sha256, work) => {
      const startedAt = performance.now();
      await work();
      const change = { startedAt, acknowledgedAt: performance.now(), sha256 };
      for (const path of paths) changes.set(path, [...changesOf(path), change]);
    },
    paths: () => [...changes.keys()],
    possible: (path, { began, ended }) => {
      const started = changesOf(path).filter(({ startedAt }) => startedAt <= ended);
      const last = started.findLastIndex(({ acknowledgedAt }) => acknowledgedAt <= began);
      const states = last === -1 ? [undefined, ...started.map(contentOf)] : started.slice(last).map(contentOf);
      return [...new Set(states)];
    },
    cameAndWent: (path, { began, ended }) =>
      changesOf(path).some(({ sha256, startedAt, acknowledgedAt }, index, all) => {
        const next = all[index + 1];
        const came = sha256 !== undefined && startedAt <= ended && acknowledgedAt >= began;
        return came && next !== undefined && next.startedAt <= ended;
      }),
    wasUnderWay: (path, { began, ended }) =>
      changesOf(path).some(({ startedAt, acknowledgedAt }) => startedAt <= ended && acknowledgedAt >= began),
    storedAfter: ({ ended }) =>
      [...changes.keys()].filter((path) => {
        const last = changesOf(path).at(-1);
        return last?.sha256 !== undefined && last.startedAt > ended;
      }),
  };
}

function contentOf({ sha256 }: Change): string | undefined {
  return sha256;
}
