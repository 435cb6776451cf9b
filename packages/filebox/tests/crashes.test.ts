import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import { commitSteps, type CommitStep } from '../src/blobs/upload-step.ts';
import { sweepOrphans } from '../src/upkeep/sweep-orphans.ts';
import { sweepRemovals } from '../src/upkeep/sweep-removals.ts';
import { sweepUploads } from '../src/upkeep/sweep-uploads.ts';
import { ageEverything } from './age-everything.ts';
import { acme, contentAt, openTestFilebox, vfsId, type TestFilebox } from './open-test-filebox.ts';

const path = '/inbox/a.csv';
const program = fileURLToPath(new URL('crashing-upload.ts', import.meta.url));
const { signal } = new AbortController();

async function uploadAndCrash(
  box: TestFilebox,
  content: string | { copyOf: string },
  crashAt: CommitStep,
): Promise<void> {
  const what = typeof content === 'string' ? { content } : content;
  const request = JSON.stringify({ vfsId, path, ...what, origin: acme, crashAt });
  const child = spawn(process.execPath, [program, box.databaseUrl, box.blobDir, request], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

async function sweepEverything({ db, blobDir }: TestFilebox): Promise<void> {
  await using store = await openLocalBlobStore({ dir: blobDir });
  await sweepUploads({ db, signal });
  await sweepRemovals({ db, store, signal });
  await sweepOrphans({ db, store, signal });
}

const isDelivered = (step: CommitStep): boolean => commitSteps.indexOf(step) >= commitSteps.indexOf('committed');

for (const step of commitSteps) {
  const delivered = isDelivered(step);

  test(`killed at ${step}, an overwriting upload is ${delivered ? 'stored completely' : 'not stored'}, and so is its event`, async () => {
    const box = await openTestFilebox();
    await box.filebox.ensureFolders(vfsId, [parseVirtualPath('/inbox')]);
    const old = await box.put(path, 'old');
    await uploadAndCrash(box, 'new content', step);

    const restarted = await box.openAnother();
    expect(await contentAt(restarted, path)).toBe(delivered ? 'new content' : 'old');
    const events = await box.fileEvents();
    expect(events.map(({ size }) => size)).toEqual(delivered ? ['3', '11'] : ['3']);
    expect(await box.audits()).toHaveLength(events.length);

    await ageEverything(box.db, box.blobDir);
    await sweepEverything(box);
    const entry = await restarted.find(vfsId, parseVirtualPath(path));
    expect(await box.heldBlobs()).toEqual([entry?.kind === 'file' ? entry.blobId : '']);
    expect(entry).toMatchObject(delivered ? { size: 11 } : { fileset: old.fileset, blobId: old.blobId });
    expect(await contentAt(restarted, path)).toBe(delivered ? 'new content' : 'old');
  });
}

// A new name replaces nothing, so its last step is the commit.
for (const step of commitSteps.slice(0, commitSteps.indexOf('committed') + 1)) {
  const delivered = isDelivered(step);

  test(`killed at ${step}, an upload of a new name is ${delivered ? 'stored completely' : 'not stored'}, and so is its event`, async () => {
    const box = await openTestFilebox();
    await box.filebox.ensureFolders(vfsId, [parseVirtualPath('/inbox')]);
    await uploadAndCrash(box, 'new content', step);

    const restarted = await box.openAnother();
    expect(await contentAt(restarted, path)).toBe(delivered ? 'new content' : undefined);
    expect(await restarted.count(vfsId, parseVirtualPath('/inbox'))).toBe(delivered ? 1 : 0);
    expect(await box.fileEvents()).toHaveLength(delivered ? 1 : 0);
    expect(await box.audits()).toHaveLength(delivered ? 1 : 0);

    // The same name can be used immediately, and leftovers are removed.
    expect(await box.put(path, 'again')).toMatchObject({ size: 5 });
    await ageEverything(box.db, box.blobDir);
    await sweepEverything(box);
    expect(await box.heldBlobs()).toHaveLength(1);
    expect(await contentAt(restarted, path)).toBe('again');
  });
}

// A copy writes and seals nothing.
for (const step of ['blobCreated', 'entryWritten', 'committed', 'replacedBlobRemoved'] as const) {
  const delivered = isDelivered(step);

  test(`killed at ${step}, a copy in place of a file is ${delivered ? 'stored completely' : 'not stored'}, and its source is unchanged`, async () => {
    const box = await openTestFilebox();
    await box.filebox.ensureFolders(vfsId, [parseVirtualPath('/inbox')]);
    const source = await box.put('/source', 'content');
    const old = await box.put(path, 'old');
    await uploadAndCrash(box, { copyOf: '/source' }, step);

    const restarted = await box.openAnother();
    expect(await contentAt(restarted, path)).toBe(delivered ? 'content' : 'old');
    expect(await box.fileEvents()).toHaveLength(delivered ? 3 : 2);
    await ageEverything(box.db, box.blobDir);
    await sweepEverything(box);
    expect(await box.heldBlobs()).toEqual([source.blobId, ...(delivered ? [] : [old.blobId])].toSorted());
    expect(await contentAt(restarted, '/source')).toBe('content');
    expect(await contentAt(restarted, path)).toBe(delivered ? 'content' : 'old');
  });
}
