import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createTestObjectStore, type TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitSteps, diskSteps } from '../src/blobs/upload-step.ts';
import { openS3Filebox, type S3TestFilebox } from './open-s3-filebox.ts';
import { acme, contentAt, vfsId } from './open-test-filebox.ts';

const path = parseVirtualPath('/a.bin');
const crashingUpload = fileURLToPath(new URL('crashing-upload.ts', import.meta.url));
/** The last steps are the sweeper's here, a day later. */
const steps = commitSteps.slice(0, commitSteps.indexOf('committed') + 1).filter((step) => !diskSteps.includes(step));

let server: TestObjectStore;
beforeAll(async () => {
  server = await createTestObjectStore();
});
afterAll(() => server.stop());

async function uploadAndCrash(box: S3TestFilebox, request: { content: string; crashAt: string; staged?: object }) {
  const { databaseUrl, blobDir, storageClass } = box;
  const json = JSON.stringify({ vfsId, path, origin: acme, storageClass, ...request });
  const child = spawn(process.execPath, [crashingUpload, databaseUrl, blobDir, json], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

test.each(steps)(
  'killed at %s, an overwriting upload to S3 is stored completely or not at all, and so is its event',
  async (step) => {
    const box = await openS3Filebox(server);
    await box.put(path, 'old');
    await uploadAndCrash(box, { content: 'new content', crashAt: step });
    const delivered = step === 'committed';
    const expected = delivered ? 'new content' : 'old';
    expect(await contentAt(box.filebox, path)).toBe(expected);
    expect((await box.fileEvents()).map(({ size }) => size)).toEqual(delivered ? ['3', '11'] : ['3']);
    expect(await box.audits()).toHaveLength(delivered ? 2 : 1);

    await box.sweepAfterDays({ olderObjects: true });
    expect(await contentAt(box.filebox, path)).toBe(expected);
    const entry = await box.filebox.find(vfsId, path);
    const blobId = entry?.kind === 'file' ? entry.blobId : '';
    expect(await box.held()).toEqual({ objects: [`blobs/${blobId}`], uploads: [] });
    expect(await box.db('filebox.uploads')).toEqual([]);
  },
);

const notPassed = new Set<string>(['uploadInserted', 'blobCreated']);

test.each(steps.filter((step) => !notPassed.has(step)))(
  'killed at %s, an upload by id to S3 is committed once, by that process or by the next',
  async (step) => {
    const box = await openS3Filebox(server);
    const place = { vfsId, path, keptUntil: new Date(Date.now() + 3_600_000), overwrite: true };
    const { uploadsById } = box.filebox;
    const blobId = await uploadsById.begin({ ...place, userName: acme.userName });
    const first = await uploadsById.resume(blobId, { ...place, origin: acme });
    await first.write(Buffer.from('hello'), 0);
    await first.suspend();
    await uploadAndCrash(box, { content: ' world', crashAt: step, staged: { blobId, size: 5 } });

    if (step === 'committed') {
      expect(await uploadsById.size(blobId)).toBeUndefined();
    } else {
      await box.db.raw("UPDATE filebox.uploads SET lease_until = now() - interval '1 second'");
      // Bytes in memory are lost: the client continues at the size that it is told.
      const size = (await uploadsById.size(blobId)) ?? 0;
      expect([5, 11]).toContain(size);
      const next = await uploadsById.resume(blobId, { ...place, origin: acme });
      expect(next.size()).toBe(size);
      if (size < 11) await next.write(Buffer.from('hello world').subarray(size), size);
      expect(await next.commit()).toMatchObject({ size: 11 });
    }
    expect(await contentAt(box.filebox, path)).toBe('hello world');
    expect([(await box.audits()).length, (await box.fileEvents()).length]).toEqual([1, 1]);
    await box.sweepAfterDays({ olderObjects: true });
    expect(await contentAt(box.filebox, path)).toBe('hello world');
    expect((await box.held()).objects).toHaveLength(1);
  },
);
