import type { FileAttributes } from '@waybill/sftp-protocol/wire/file-attributes';
import type { EntryDescription } from '../../domain/files/handles/entry-description.ts';

const fileMode = 0o100_644;
const folderMode = 0o040_755;
const latestSecond = 0xffff_ffff;

/**
 * The attributes a client is shown. The mode bits only tell files from folders and are those a downloaded copy should
 * have: what a user may do is decided by ACLs, which they cannot express.
 */
export function attributesOfEntry({ kind, size, accessedAt, modifiedAt }: EntryDescription): FileAttributes {
  return {
    size,
    permissions: kind === 'folder' ? folderMode : fileMode,
    times: { accessed: secondsOf(accessedAt), modified: secondsOf(modifiedAt) },
  };
}

/** SFTP 3 counts seconds in 32 unsigned bits. */
function secondsOf(date: Date): number {
  return Math.min(Math.max(Math.floor(date.getTime() / 1000), 0), latestSecond);
}
