import { joinVirtualPath, parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EntrySort } from '../src/model/entry-query.ts';
import type { Entry } from '../src/model/entry.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';
import { openWithRows } from './open-with-rows.ts';

const at = parseVirtualPath;
const inbox = at('/inbox');
const origin = { origin: acme };

/** The meaning of `*`, implemented independently. */
function matches(pattern: string, name: string): boolean {
  const [literal, ...rest] = pattern.split('*').map((part) => part.normalize('NFC'));
  if (rest.length === 0) return name === literal;
  if (!name.startsWith(literal ?? '')) return false;
  let from = literal?.length ?? 0;
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const found = name.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

const oddNames = [
  'a',
  'B',
  'b',
  'a%b',
  'a_b',
  String.raw`a\b`,
  'axb',
  '[a]',
  'a?b',
  'ä',
  'Z',
  'é',
  '100%',
  '%',
  '_',
  '😀',
  '￿',
  '.hidden',
  'a b',
];

test('for every name, * in a pattern matches any characters and everything else itself', async () => {
  const { filebox } = await openWithRows(oddNames);
  const piece = fc.constantFrom('*', 'a', 'b', 'B', '%', '_', '\\', '?', '[', ']', 'x', 'é', 'e\u0301', '.', '😀');
  const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(pattern, async (tried) => {
      const expected = oddNames.filter((name) => matches(tried, name)).toSorted(byBytes);
      const { entries, totalCount } = await filebox.list(vfsId, inbox, { pattern: tried });
      expect(entries.map(({ name }) => name)).toEqual(expected);
      expect(totalCount).toBe(expected.length);
      expect(await filebox.count(vfsId, inbox, { pattern: tried })).toBe(expected.length);
    }),
    { numRuns: 150 },
  );
});

const keys: Record<EntrySort, (entry: Entry) => number> = {
  name: () => 0,
  size: (entry) => (entry.kind === 'file' ? entry.size : -Infinity),
  put_date: (entry) => (entry.kind === 'file' ? entry.putAt.getTime() : -Infinity),
  read_date: (entry) => (entry.kind === 'file' ? (entry.firstReadAt?.getTime() ?? -Infinity) : -Infinity),
  expiry_date: (entry) => (entry.kind === 'file' ? (entry.expiresAt?.getTime() ?? Infinity) : Infinity),
};

test.each(Object.keys(keys) as EntrySort[])(
  'pages by %s follow each other without gap or repetition, equal keys by name',
  async (sort) => {
    const { filebox } = await openWithRows(oddNames);
    await filebox.createFolder(vfsId, at('/inbox/sub'), origin);
    await filebox.createFolder(vfsId, at('/inbox/also'), origin);
    const { entries } = await filebox.list(vfsId, inbox);
    const found = await Promise.all(entries.map(({ name }) => filebox.find(vfsId, joinVirtualPath(inbox, name))));
    const all = found.filter((entry) => entry !== undefined);
    const key = keys[sort];
    const sorted = all.toSorted((one, other) => {
      const [a, b] = [key(one), key(other)];
      return a === b ? byBytes(one.name, other.name) : a - b;
    });
    for (const direction of ['ASC', 'DESC'] as const) {
      const paged: string[] = [];
      for (let start = 0; start < all.length + 4; start += 4) {
        const page = await filebox.list(vfsId, inbox, { sort, direction, start, limit: 4 });
        expect(page.totalCount).toBe(all.length);
        paged.push(...page.entries.map(({ name }) => name));
      }
      const expected = sorted.map(({ name }) => name);
      expect(paged).toEqual(direction === 'ASC' ? expected : expected.toReversed());
    }
  },
);

test('a page far inside a folder is the right one, from whichever end it is read', async () => {
  const { filebox, db } = await openTestFilebox();
  await filebox.ensureFolders(vfsId, [inbox]);
  await db.raw(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner)
     SELECT vfs_id, id, 'folder', lpad(n::text, 5, '0'), '' FROM filebox.entries, generate_series(0, 2499) AS n
     WHERE name = 'inbox'`,
  );
  const names = Array.from({ length: 2_500 }, (_, index) => String(index).padStart(5, '0'));
  for (const [start, limit] of [
    [999, 3],
    [1_000, 500],
    [1_249, 4],
    [1_251, 4],
    [2_400, 500],
    [2_499, 1],
    [2_500, 5],
    [9_999, 5],
  ] as const) {
    for (const [direction, ordered] of [
      ['ASC', names],
      ['DESC', names.toReversed()],
    ] as const) {
      const { entries, totalCount } = await filebox.list(vfsId, inbox, { start, limit, direction, type: 'folders' });
      expect(entries.map(({ name }) => name)).toEqual(ordered.slice(start, start + limit));
      expect(totalCount).toBe(2_500);
    }
  }
});

test('files and folders are listed and counted separately or together', async () => {
  const { filebox } = await openWithRows(['a.csv', 'b.csv', 'c.txt']);
  await filebox.createFolder(vfsId, at('/inbox/a.folder'), origin);
  const counts = async (pattern: string) =>
    Promise.all((['all', 'files', 'folders'] as const).map((type) => filebox.count(vfsId, inbox, { type, pattern })));
  expect(await counts('*')).toEqual([4, 3, 1]);
  expect(await counts('a*')).toEqual([2, 1, 1]);
  const { entries, totalCount } = await filebox.list(vfsId, inbox, { type: 'folders' });
  expect([entries.map(({ name }) => name), totalCount]).toEqual([['a.folder'], 1]);
});

test('names that are left out are on no page, in any order, and in no count', async () => {
  const names = Array.from({ length: 1_200 }, (_, index) => `${index % 2 === 0 ? 'even' : 'odd'}-${index}`);
  const { filebox } = await openWithRows(names);
  await filebox.ensureFolders(vfsId, [at('/inbox/odd-folder'), at('/inbox/kept')]);
  const without = ['even-0', 'odd-1', 'odd-1199', 'odd-folder', 'nobody', 'it"s {a} \\ name'];
  const filters = (['all', 'files', 'folders'] as const).flatMap((type) =>
    ['*', 'odd*'].map((pattern) => ({ type, pattern })),
  );
  for (const type of ['all', 'files', 'folders'] as const) {
    for (const pattern of ['*r', '*1', '*d-1*']) {
      const { entries } = await filebox.list(vfsId, inbox, { type, pattern, limit: 2_000 });
      const expected = entries.filter(({ name }) => !without.includes(name)).length;
      expect(await filebox.count(vfsId, inbox, { type, pattern, without })).toBe(expected);
    }
  }
  for (const sort of Object.keys(keys) as EntrySort[]) {
    for (const filter of filters) {
      const { entries } = await filebox.list(vfsId, inbox, { sort, ...filter, limit: 2_000 });
      const expected = entries.map(({ name }) => name).filter((name) => !without.includes(name));
      expect(await filebox.count(vfsId, inbox, { ...filter, without })).toBe(expected.length);
      for (const [start, limit] of [
        [0, 2_000],
        [1_005, 100],
        [3, 1],
      ] as const) {
        for (const direction of ['ASC', 'DESC'] as const) {
          const page = await filebox.list(vfsId, inbox, { sort, ...filter, direction, start, limit, without });
          const ordered = direction === 'ASC' ? expected : expected.toReversed();
          expect(page.entries.map(({ name }) => name)).toEqual(ordered.slice(start, start + limit));
          expect(page.totalCount).toBe(expected.length);
        }
      }
    }
  }
});

test('a page beyond the end is empty and has the total', async () => {
  const { filebox } = await openWithRows(['a', 'b']);
  expect(await filebox.list(vfsId, inbox, { start: 10 })).toEqual({ entries: [], totalCount: 2 });
  expect(await filebox.list(vfsId, inbox, { limit: 0 })).toEqual({ entries: [], totalCount: 2 });
});

test('a scan reads a folder in the order of names, including the unfinished uploads of the user', async () => {
  const { filebox } = await openWithRows(oddNames);
  const suspended = ['A', 'b0', '😁'];
  for (const name of suspended) {
    const upload = await filebox.beginUpload(vfsId, at(`/inbox/${name}`), {
      ...origin,
      overwrite: true,
      resumable: true,
    });
    await upload.write(Buffer.from('x'), 0);
    await upload.suspend();
  }
  for (const [asker, expected] of [
    [undefined, oddNames],
    [acme.userName, [...oddNames, ...suspended]],
  ] as const) {
    const scanned: string[] = [];
    for (;;) {
      const after = scanned.at(-1);
      const part = await filebox.scan(vfsId, inbox, {
        limit: 3,
        ...(after !== undefined && { afterName: after }),
        ...(asker && { includeUploadOf: asker }),
      });
      scanned.push(...part.map(({ name }) => name));
      if (part.length < 3) break;
    }
    expect(scanned).toEqual(expected.toSorted(byBytes));
  }
});

test.each([
  ['a missing folder', '/nope', 'path_not_found'],
  ['a file', '/inbox/a', 'not_a_folder'],
])('listing, counting and scanning %s is refused', async (_, path, code) => {
  const { filebox } = await openWithRows(['a']);
  await expect(filebox.list(vfsId, at(path))).rejects.toMatchObject({ code });
  await expect(filebox.count(vfsId, at(path))).rejects.toMatchObject({ code });
  await expect(filebox.scan(vfsId, at(path), { limit: 1 })).rejects.toMatchObject({ code });
});
