import type { NameEntry } from '@waybill/sftp-protocol/responses/sftp-response';
import type { FileAttributes } from '@waybill/sftp-protocol/wire/file-attributes';
import type { EntryDescription } from '../../domain/files/handles/entry-description.ts';

const fileMode = 0o100_644;
const folderMode = 0o040_755;
const latestSecond = 0xffff_ffff;

/**
 * The attributes for a client. The mode bits only distinguish files from folders and suit a downloaded copy: ACLs
 * decide what a user may do, and mode bits cannot express them.
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

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const halfYearMs = 182 * 24 * 3_600_000;

/** A line of READDIR, with the longname as `ls -l` writes it (draft-ietf-secsh-filexfer-02, section 7), in UTC. */
export function nameOfEntry(entry: EntryDescription, now = Date.now()): NameEntry {
  const mode = entry.kind === 'folder' ? 'drwxr-xr-x' : '-rw-r--r--';
  const size = String(entry.size).padStart(12);
  return {
    filename: entry.name,
    longname: `${mode}    1 waybill  waybill  ${size} ${timeOf(entry.modifiedAt, now)} ${entry.name}`,
    attributes: attributesOfEntry(entry),
  };
}

function timeOf(date: Date, now: number): string {
  const day = `${months[date.getUTCMonth()] ?? ''} ${String(date.getUTCDate()).padStart(2)}`;
  const isRecent = Math.abs(now - date.getTime()) < halfYearMs;
  const [hours, minutes] = [date.getUTCHours(), date.getUTCMinutes()].map((part) => String(part).padStart(2, '0'));
  return isRecent ? `${day} ${hours}:${minutes}` : `${day}  ${date.getUTCFullYear()}`;
}

const modeBits = 0o7777;

/**
 * Mode and owner as metadata of a file: `sftp.mode` in octal digits, such as `0640`, and `sftp.owner` as `uid:gid`.
 * They have no other effect. Undefined if neither was sent.
 */
export function metadataOfAttributes(attributes: FileAttributes): Readonly<Record<string, string>> | undefined {
  const { permissions, ownership } = attributes;
  if (permissions === undefined && ownership === undefined) return undefined;
  return {
    ...(permissions !== undefined && { 'sftp.mode': (permissions & modeBits).toString(8).padStart(4, '0') }),
    ...(ownership !== undefined && { 'sftp.owner': `${ownership.uid}:${ownership.gid}` }),
  };
}
