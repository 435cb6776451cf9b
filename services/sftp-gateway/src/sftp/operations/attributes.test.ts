import { describe, expect, it } from 'vitest';
import { nameOfEntry } from './attributes.ts';

const now = Date.UTC(2026, 5, 15, 12);
const entry = (modifiedAt: Date) => ({
  kind: 'file' as const,
  name: 'a b.csv',
  size: 1234,
  modifiedAt,
  accessedAt: modifiedAt,
});

describe('the longname of an entry', () => {
  it('is a line of ls -l, with the time for recent files and the year for others', () => {
    expect(nameOfEntry(entry(new Date(Date.UTC(2026, 5, 3, 7, 5))), now).longname).toBe(
      '-rw-r--r--    1 waybill  waybill          1234 Jun  3 07:05 a b.csv',
    );
    expect(nameOfEntry(entry(new Date(Date.UTC(2020, 11, 24))), now).longname).toContain(' Dec 24  2020 a b.csv');
  });

  it('shows a folder as one', () => {
    const folder = { ...entry(new Date(now)), kind: 'folder' as const };
    const { longname, attributes } = nameOfEntry(folder, now);
    expect(longname).toMatch(/^drwxr-xr-x /u);
    expect(attributes.permissions).toBe(0o040_755);
  });

  it('limits times to the 32 bits that SFTP has for them', () => {
    expect(nameOfEntry(entry(new Date(-1)), now).attributes.times?.modified).toBe(0);
    expect(nameOfEntry(entry(new Date(8.64e15)), now).attributes.times?.modified).toBe(0xffff_ffff);
  });
});
