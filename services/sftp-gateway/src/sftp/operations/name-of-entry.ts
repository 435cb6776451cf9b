import type { NameEntry } from '@waybill/sftp-protocol/responses/sftp-response';
import type { EntryDescription } from '../../domain/files/handles/entry-description.ts';
import { attributesOfEntry } from './attributes-of-entry.ts';

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
