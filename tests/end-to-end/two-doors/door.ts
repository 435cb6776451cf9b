/** What a user does to a path. The ends of a move that are not in question are where the user may do everything. */
export const operations = [
  'look',
  'list',
  'archive',
  'download',
  'upload',
  'upload where nothing is',
  'write on',
  'make folder',
  'remove file',
  'remove folder',
  'rename in its folder',
  'move out',
  'move a file in',
  'move a file in, replacing',
  'move a folder in',
  'set metadata',
  'set time',
] as const;

/** What a user does to a path. */
export type OperationName = (typeof operations)[number];

/** What the user learns. `other`: something else than the operation needs is there, or the name is taken. */
export type Outcome = 'done' | 'refused' | 'missing' | 'other';

/** One protocol, with one user logged in. */
export interface Door {
  /** `spare` is free, and in a folder where the user may do everything. */
  run(operation: OperationName, path: string, spare: string): Promise<Outcome>;
  /** The names in a folder; undefined if it is not listed. */
  namesIn(path: string): Promise<readonly string[] | undefined>;
}
