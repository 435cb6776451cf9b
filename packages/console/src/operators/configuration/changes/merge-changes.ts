import { isRecord, valueOf } from './records.ts';

/** A setting that gets another value; undefined: it is removed. */
export interface SettingChange {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** A setting that both have changed, to different values. */
export interface SettingConflict {
  readonly path: readonly string[];
  readonly mine: unknown;
  readonly stored: unknown;
}

/** What somebody else has changed, as seen from a draft. */
export interface Merge {
  /** What only the other one has changed. */
  readonly changes: readonly SettingChange[];
  readonly conflicts: readonly SettingConflict[];
}

/** The three versions of settings: that from which both began, the draft, and what somebody else has stored. A list is one setting. */
export interface Versions {
  readonly base: unknown;
  readonly mine: unknown;
  readonly stored: unknown;
}

/** What the draft needs in order to have the changes of both. */
export function mergeChanges(versions: Versions, path: readonly string[] = []): Merge {
  const { base, mine, stored } = versions;
  if (isSame(base, stored) || isSame(mine, stored)) return { changes: [], conflicts: [] };
  if (isSame(base, mine)) return { changes: [{ path, value: stored }], conflicts: [] };
  if (!isRecord(mine) || !isRecord(stored)) return { changes: [], conflicts: [{ path, mine, stored }] };
  const before = isRecord(base) ? base : {};
  const names = new Set([before, mine, stored].flatMap((settings) => Object.keys(settings)));
  const parts = [...names].map((name) =>
    mergeChanges({ base: valueOf(before, name), mine: valueOf(mine, name), stored: valueOf(stored, name) }, [
      ...path,
      name,
    ]),
  );
  return {
    changes: parts.flatMap(({ changes }) => changes),
    conflicts: parts.flatMap(({ conflicts }) => conflicts),
  };
}

/** All that a draft takes over from what is stored; `keeps` says whose values stay where both have changed a setting. */
export function changesToTake({ changes, conflicts }: Merge, keeps: 'mine' | 'stored'): readonly SettingChange[] {
  if (keeps === 'mine') return changes;
  return [...changes, ...conflicts.map(({ path, stored }) => ({ path, value: stored }))];
}

/** Settings with some changes. */
export function applyChanges(settings: unknown, changes: readonly SettingChange[]): unknown {
  return changes.reduce((changed, { path, value }) => withValue(changed, path, value), settings);
}

function withValue(settings: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const before = isRecord(settings) ? settings : {};
  const next = withValue(valueOf(before, name), rest, value);
  if (next !== undefined) return { ...before, [name]: next };
  return Object.fromEntries(Object.entries(before).filter(([other]) => other !== name));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
