import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Filebox } from '../src/filebox.ts';
import { copyFile } from './copy-file.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';
import { limit, recount, usage } from './vfs-usage.ts';

const origin = acme;
const at = parseVirtualPath;
const fileBytes = 200_000;
const chunkBytes = 20_000;
const fifty = Array.from({ length: 50 }, (_, index) => index);

async function send(filebox: Filebox, path: string, { known }: { known: boolean }): Promise<'stored' | 'refused'> {
  const expectedBytes = { atLeast: fileBytes, atMost: fileBytes };
  try {
    await using upload = await filebox.beginUpload(vfsId, at(path), {
      origin,
      overwrite: true,
      ...(known && { expectedBytes }),
    });
    for (let offset = 0; offset < fileBytes; offset += chunkBytes) await upload.write(Buffer.alloc(chunkBytes), offset);
    await upload.commit();
    return 'stored';
  } catch (error) {
    expect(error).toMatchObject({ code: 'byte_limit_reached' });
    return 'refused';
  }
}

test.each([
  { which: 'whose size is known', isKnown: () => true },
  { which: 'whose size is not known', isKnown: () => false },
  { which: 'of both kinds', isKnown: (index: number) => index % 3 === 0 },
])('of 50 uploads at once, $which, exactly those that fit are stored', async ({ isKnown }) => {
  const { filebox, db, openAnother } = await openTestFilebox({ poolSize: 20 });
  const fileboxes = [filebox, await openAnother()];
  const sendAll = (folder: string) =>
    Promise.all(
      fifty.map((index) => send(fileboxes[index % 2] ?? filebox, `${folder}/${index}`, { known: isKnown(index) })),
    );
  await filebox.ensureFolders(vfsId, [at('/fitting'), at('/some')]);
  await limit(db, { bytes: 50 * fileBytes });
  expect(new Set(await sendAll('/fitting'))).toEqual(new Set(['stored']));
  expect(await usage(db)).toEqual({ bytes: 50 * fileBytes, files: 50, folders: 2 });

  await limit(db, { bytes: 80 * fileBytes + 1 });
  const outcomes = await sendAll('/some');
  expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(30);
  expect(await usage(db)).toEqual({ bytes: 80 * fileBytes, files: 80, folders: 2 });
  expect(await recount(db)).toEqual(await usage(db));
});

const name = fc.constantFrom('a', 'b', 'c', 'd');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`);
const size = fc.integer({ min: 0, max: 400 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('put' as const), path, size, known: fc.boolean(), blind: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('interrupt', 'resume', 'abort'), path, size }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('folder' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('deleteFile', 'deleteTree'), path }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('rename' as const), path, to: path, overwrite: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('copy' as const), path, to: path }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('stage' as const),
      path,
      length: size,
      end: fc.constantFrom('deliver', 'keep', 'discard'),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function perform(filebox: Filebox, step: Step): Promise<unknown> {
  const path = at(step.path);
  switch (step.kind) {
    case 'folder':
      return filebox.createFolder(vfsId, path, { origin });
    case 'deleteFile':
      return filebox.deleteFile(vfsId, path, { origin });
    case 'deleteTree':
      return filebox.deleteFolder(vfsId, path, { origin, recursive: true });
    case 'copy':
      return 'to' in step && copyFile(filebox, step.path, step.to);
    case 'stage':
      return 'end' in step && performStaged(filebox, step);
    case 'rename':
      return 'overwrite' in step && filebox.rename(vfsId, path, at(step.to), { origin, overwrite: step.overwrite });
    default:
      return 'size' in step && performUpload(filebox, step);
  }
}

async function performUpload(filebox: Filebox, step: Extract<Step, { size: number }>): Promise<unknown> {
  const known = 'known' in step && step.known;
  const upload = await filebox.beginUpload(vfsId, at(step.path), {
    origin,
    overwrite: true,
    resumable: step.kind === 'interrupt' || step.kind === 'resume',
    resume: step.kind === 'resume',
    countsAsNew: 'blind' in step && step.blind,
    ...(known && { expectedBytes: { atLeast: step.size, atMost: step.size } }),
  });
  await upload.write(Buffer.alloc(step.size), upload.size());
  if (step.kind === 'abort') return upload.discard();
  return step.kind === 'interrupt' ? upload.suspend() : upload.commit();
}

/** An upload by id that is committed, abandoned in the middle, or discarded: before its first byte or after some. */
async function performStaged(filebox: Filebox, { path, length, end }: Extract<Step, { length: number }>) {
  const expectedBytes = { atLeast: length, atMost: length };
  const keptUntil = new Date(Date.now() + 3_600_000);
  const place = { vfsId, path: at(path), keptUntil, overwrite: true, expectedBytes };
  const id = await filebox.uploadsById.begin({ ...place, userName: origin.userName });
  if (length % 2 === 0 && end === 'discard') return filebox.uploadsById.discard(id);
  const upload = await filebox.uploadsById.resume(id, { ...place, origin });
  await upload.write(Buffer.alloc(end === 'deliver' ? length : Math.floor(length / 2)), 0);
  if (end === 'deliver') return upload.commit();
  await upload.suspend();
  return end === 'discard' && filebox.uploadsById.discard(id);
}

const expectedCodes =
  /^(byte|file|folder|depth)_limit_reached$|^already_exists$|_not_found$|^not_a_|^path_invalid$|^upload_in/u;

test('whatever happens in a VFS at once, its usage is what a recount finds, and never exceeds the limits', async () => {
  const { filebox, db } = await openTestFilebox({ poolSize: 20 });
  const most = { bytes: 1_500, files: 6, folders: 5 };
  await limit(db, { ...most, depth: 2 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 12 }), async (rounds) => {
      for (const steps of rounds) {
        const outcomes = await Promise.allSettled(steps.map((each) => perform(filebox, each)));
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason.code).toMatch(expectedCodes);
        }
        // In one snapshot: a refused upload may be on its way to removal.
        const [used, counted] = await db.transaction(async (trx) => [await usage(trx), await recount(trx)] as const, {
          isolationLevel: 'repeatable read',
        });
        expect(used).toEqual(counted);
        expect(used).toSatisfy(() => used !== undefined && used.bytes <= most.bytes && used.files <= most.files);
        expect(used?.folders).toBeLessThanOrEqual(most.folders);
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
  const { rows } = await db.raw<{ rows: { depth: string }[] }>(
    "SELECT max(filebox.depth_of(id)) AS depth FROM filebox.entries WHERE kind = 'folder'",
  );
  expect(Number(rows[0]?.depth)).toBeLessThanOrEqual(2);
});
