import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { EntryFilter } from '../../model/entry-query.ts';
import { bytePatternOf } from '../patterns/byte-pattern.ts';
import { bytesOfRun, countInRun, isInRun, type NameRun, nameRunOf } from '../patterns/name-run.ts';

/** All names of a folder, valid for one state of it; runs are in the order of names. */
export interface FolderNames {
  readonly state: string;
  readonly files: readonly NameRun[];
  readonly folders: readonly NameRun[];
}

/** The memory of a folder's names. */
export function bytesOfNames({ files, folders }: FolderNames): number {
  return [...files, ...folders].reduce((bytes, run) => bytes + bytesOfRun(run), 0);
}

/**
 * Whether cached names can count the entries of a filter: not for a pattern without `*`, which an index finds
 * immediately.
 */
export function isCountedByNames({ pattern = '*' }: EntryFilter): boolean {
  return bytePatternOf(pattern) !== undefined;
}

/**
 * The number of entries that pass a filter: up to some dozens of milliseconds for a million, in steps of one
 * millisecond, between which other requests run.
 */
export async function countByNames(
  names: FolderNames,
  { pattern = '*', type = 'all', without = [] }: EntryFilter,
): Promise<number> {
  const meant = bytePatternOf(pattern);
  if (meant === undefined) throw new Error(`${pattern} is a name`);
  const runs = { all: [...names.files, ...names.folders], files: names.files, folders: names.folders }[type];
  let count = 0;
  for (const run of runs) {
    count += countInRun(run, meant);
    await yieldToOthers();
  }
  for (const name of new Set(without)) {
    const alone = nameRunOf(name, 1);
    if (countInRun(alone, meant) === 1 && runs.some((run) => isInRun(run, Buffer.from(name)))) count -= 1;
  }
  return count;
}
