import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';

const codes = {
  bytes: 'byte_limit_reached',
  files: 'file_limit_reached',
  folders: 'folder_limit_reached',
  depth: 'depth_limit_reached',
} as const;

/** The limited resources. */
export type LimitKind = keyof typeof codes;

/** The kind of limit, or full storage, that a failure reports. */
export function refusalKindOf(error: unknown): LimitKind | 'storage' | undefined {
  if (isCodedError(error, 'storage_full')) return 'storage';
  return limitKinds.find((kind) => isCodedError(error, codes[kind]));
}

/** The failure of a request beyond a limit, with the limit in its message. */
export function limitError(kind: LimitKind, most: number, cause?: unknown): CodedError {
  return new CodedError(codes[kind], { detail: sentences[kind](most.toLocaleString('en-US')), cause });
}

/** The same for an error with which the index refuses a change: see the migration `0005-limits`. */
export function limitErrorOf(error: unknown): CodedError | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'WBLIM') return undefined;
  const { constraint, detail } = error as { constraint?: unknown; detail?: unknown };
  const kind = limitKinds.find((known) => known === constraint);
  return kind && limitError(kind, Number(detail), error);
}

const limitKinds = Object.keys(codes) as LimitKind[];

const sentences: Readonly<Record<LimitKind, (most: string) => string>> = {
  bytes: (most) => `The virtual file system may hold ${most} bytes at most`,
  files: (most) => `The virtual file system may hold ${most} files at most`,
  folders: (most) => `The virtual file system may hold ${most} folders at most`,
  depth: (most) => `Folders may be nested ${most} deep at most`,
};
