import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { expect, test } from 'vitest';
import { createUsageReport } from '../src/upkeep/report-usage.ts';
import { sweepUploads } from '../src/upkeep/sweep-uploads.ts';
import { ageEverything } from './age-everything.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';
import { limit, recount, usage } from './vfs-usage.ts';

test('the reservations of a process that died are released when its upload is swept', async () => {
  const { filebox, db, blobDir } = await openTestFilebox();
  await limit(db, { bytes: 2_000_000, files: 2 });
  const path = parseVirtualPath('/a');
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await upload.write(Buffer.alloc(1_000), 0);
  expect((await usage(db))?.bytes).toBeGreaterThan(1_000);
  // Its lease is not renewed: as if the process had been killed.
  await ageEverything(db, blobDir);
  await db.raw("UPDATE filebox.uploads SET lease_until = now() - interval '2 days', holder = gen_random_uuid()");
  expect(await sweepUploads({ db, signal: new AbortController().signal })).toBe(1);
  expect(await usage(db)).toEqual({ bytes: 0, files: 0, folders: 0 });
  expect(await usage(db)).toEqual(await recount(db));
  await upload.discard();
});

test('reports in metrics how full a VFS with limits is, and nothing of those without', async () => {
  const { db, put } = await openTestFilebox();
  const metrics = createMetrics('test');
  const report = createUsageReport({ db, metrics });
  await put('/a', '12345');
  await report();
  expect(await metrics.text()).not.toMatch(/^waybill_filebox_vfs_used\{/mu);
  await limit(db, { bytes: 100 });
  await report();
  const text = await metrics.text();
  expect(text).toMatch(/^waybill_filebox_vfs_used\{vfs="acme-files",kind="bytes",service="test"\} 5$/mu);
  expect(text).toMatch(/^waybill_filebox_vfs_limit\{vfs="acme-files",kind="bytes",service="test"\} 100$/mu);
  expect(text).not.toMatch(/^waybill_filebox_vfs_limit\{vfs="acme-files",kind="files"/mu);
});

test('counts refusals, by the limit', async () => {
  const { db, openAnother, put } = await openTestFilebox();
  await put('/a', '12345');
  const metrics = createMetrics('test');
  const filebox = await openAnother({ metrics });
  await limit(db, { bytes: 5, folders: 0 });
  const origin = acme;
  await expect(filebox.createFolder(vfsId, parseVirtualPath('/x'), { origin })).rejects.toThrow('0 folders');
  const upload = await filebox.beginUpload(vfsId, parseVirtualPath('/b'), { origin, overwrite: true });
  await expect(upload.write(Buffer.from('1'), 0)).rejects.toThrow('5 bytes');
  await upload.discard();
  const text = await metrics.text();
  expect(text).toMatch(/^waybill_filebox_refusals_total\{limit="folders",service="test"\} 1$/mu);
  expect(text).toMatch(/^waybill_filebox_refusals_total\{limit="bytes",service="test"\} 1$/mu);
});
