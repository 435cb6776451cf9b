import type { FileAttributes } from '../wire/file-attributes.ts';

/** An extension named in INIT or VERSION (draft-ietf-secsh-filexfer-02, section 4), with its data (often a number as text). */
export interface ExtensionPair {
  readonly name: string;
  readonly data: string;
}

/**
 * Everything a client can ask in SFTP version 3 (draft-ietf-secsh-filexfer-02, sections 4, 6 and 8), and the
 * OpenSSH extensions whose bodies this codec supports (OpenSSH PROTOCOL, section 4;
 * draft-ietf-secsh-filexfer-extensions-00).
 *
 * Paths are bytes: the file index interprets them, and decoding them here would lose names that are not UTF-8.
 * Handles, paths and WRITE data are views into the packet.
 *
 * SYMLINK's paths are in the draft's order. OpenSSH's client sends them the other way round (OpenSSH PROTOCOL,
 * 4.1).
 */
export type SftpRequest =
  | { readonly type: 'init'; readonly version: number; readonly extensions: readonly ExtensionPair[] }
  | Identified<'open', { path: Buffer; flags: number; attributes: FileAttributes }>
  | Identified<'close' | 'fstat' | 'readdir' | 'fsync', { handle: Buffer }>
  | Identified<'read', { handle: Buffer; offset: number; length: number }>
  | Identified<'write', { handle: Buffer; offset: number; data: Buffer }>
  | Identified<'lstat' | 'stat' | 'opendir' | 'remove' | 'rmdir' | 'realpath' | 'readlink', { path: Buffer }>
  | Identified<'setstat' | 'mkdir', { path: Buffer; attributes: FileAttributes }>
  | Identified<'fsetstat', { handle: Buffer; attributes: FileAttributes }>
  | Identified<'rename' | 'posix-rename', { oldPath: Buffer; newPath: Buffer }>
  | Identified<'symlink', { linkPath: Buffer; targetPath: Buffer }>
  | Identified<'limits', object>
  | Identified<'statvfs', { path: Buffer }>
  | Identified<'fstatvfs', { handle: Buffer }>
  | Identified<'copy-data', CopyRange>
  | Identified<'check-file-name', { path: Buffer } & HashedRange>
  | Identified<'check-file-handle', { handle: Buffer } & HashedRange>
  | Identified<'home-directory', { userName: Buffer }>
  | Identified<'expand-path', { path: Buffer }>
  | Identified<'extended', { name: string; data: Buffer }>
  | Identified<'unknown', { packetType: number }>;

/** What copy-data copies. A length of 0 means up to the end. */
interface CopyRange {
  handle: Buffer;
  offset: number;
  length: number;
  targetHandle: Buffer;
  targetOffset: number;
}

/** What check-file hashes: `length` 0 means up to the end, `blockBytes` 0 one hash for all of it. */
interface HashedRange {
  /** Names of hash algorithms, the preferred one first. */
  algorithms: readonly string[];
  offset: number;
  length: number;
  blockBytes: number;
}

type Identified<Type extends string, Fields> = Type extends string
  ? { readonly type: Type; readonly id: number } & Readonly<Fields>
  : never;
