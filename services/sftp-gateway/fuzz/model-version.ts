import type { OpenMode } from './file-steps.ts';
import { status, type Place } from './model-tree.ts';

/** A version that a session writes. */
export interface Written {
  readonly session: number;
  place: Place;
  /** The content that is not committed yet; undefined after a commit. */
  content: string | undefined;
  touched: boolean;
  followsFile: boolean;
  overwrite: boolean;
  /** Whether this or another session has removed it. */
  isGone: boolean;
  isLost: boolean;
  isOutdated: boolean;
  /** No more is accepted: the upload was refused or discarded. */
  hasEnded: boolean;
  /** A write was refused. */
  firstError: number | undefined;
  /** The version that the latest commit created. */
  deliveredVersion: number | undefined;
  deliveredContent: string;
  handles: number;
}

/** A version that was just opened for writing. */
export function newVersion(
  session: number,
  place: Place,
  { goesOnFrom, overwrite }: { goesOnFrom: string | undefined; overwrite: boolean },
): Written {
  const isNew = goesOnFrom === undefined;
  return {
    session,
    place: { ...place },
    content: goesOnFrom ?? '',
    touched: isNew,
    followsFile: !isNew,
    overwrite,
    isGone: false,
    isLost: false,
    isOutdated: false,
    hasEnded: false,
    firstError: undefined,
    deliveredVersion: undefined,
    deliveredContent: '',
    handles: 1,
  };
}

/** Why it cannot be committed; undefined if it can. */
export function refusalOf(
  { isLost, followsFile, overwrite }: Written,
  { isThere, replaces }: { isThere: boolean; replaces: boolean },
): number | undefined {
  if (isLost || !isThere || (followsFile && !replaces)) return status.noSuchFile;
  return replaces && !overwrite ? status.failure : undefined;
}

/** Whether a version would be committed there. */
export function isAt(file: Written, place: Place): boolean {
  const { isGone, isLost, hasEnded } = file;
  return !isGone && !isLost && !hasEnded && file.place.folder === place.folder && file.place.name === place.name;
}

/** Whether it makes a folder not empty. */
export function isUploadIn(file: Written, folder: number): boolean {
  const { content, handles, isGone, isLost, hasEnded, place } = file;
  return content !== undefined && handles > 0 && !isGone && !isLost && !hasEnded && place.folder === folder;
}

/** The result of an OPEN. */
export interface Handle {
  readonly session: number;
  isOpen: boolean;
  written?: Written;
  readonly mode: OpenMode;
  /** For a file that is read. */
  snapshot?: string;
}

/** A reader of what the same session is writing. */
export function isReading({ mode }: Handle): boolean {
  return mode === 'r' || mode === 'rc';
}
