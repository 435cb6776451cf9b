import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, test } from 'vitest';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['globex', 'acme'] });

const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';

describe('an upload', () => {
  test('that is refused is answered although the client is still sending', async () => {
    const multipart = formOf(new Uint8Array(8_000_000));
    const answer = await site.acme.put('/2.0/files/outbox/big.bin', { multipart });
    expect([answer.status, answer.json()]).toEqual([403, expect.objectContaining({ errorType: 'authorization' })]);
  });

  test('does not grow the memory with its size', async () => {
    const chunk = new Uint8Array(randomBytes(1024 * 1024));
    const megabytes = 256;
    let sent = -1;
    let peak = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        peak = Math.max(peak, process.memoryUsage().arrayBuffers);
        sent += 1;
        if (sent === 0) controller.enqueue(new TextEncoder().encode(head));
        else if (sent <= megabytes) controller.enqueue(chunk);
        else {
          controller.enqueue(new TextEncoder().encode('\r\n--b--\r\n'));
          controller.close();
        }
      },
    });
    const before = process.memoryUsage().arrayBuffers;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await site.globex.put('/2.0/files/data/huge.bin', { body, headers, timeoutMs: 60_000 });
    expect(answer.status).toBe(201);
    expect(peak - before).toBeLessThan(96 * 1024 * 1024);
    const size = await site.globex.request('HEAD', '/2.0/files/data/huge.bin');
    expect(size.headers.get('content-length')).toBe(String(megabytes * 1024 * 1024));
    await site.globex.delete('/2.0/files/data/huge.bin');
  });

  test('of the same name by many at once ends as one of them, complete', async () => {
    const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000));
    const answers = await Promise.all(
      contents.map((content) => site.globex.put('/2.0/files/data/race.txt', { multipart: formOf(content) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 201));
    expect(contents).toContain((await site.globex.get('/2.0/files/data/race.txt')).text);
  });
});

describe('the record', () => {
  test('has upload, download and deletion with the same dataflow id, which the responses contain', async () => {
    const put = await site.globex.put('/2.0/files/data/flow.txt', { multipart: formOf('x') });
    const get = await site.globex.get('/2.0/files/data/flow.txt');
    const dfiid = put.headers.get('x-dataflow-id');
    expect(get.headers.get('x-dataflow-id')).toBe(dfiid);
    const operations = async () =>
      (await site.rig.audited()).filter((record) => record.dfiid === dfiid).map(({ auditOperation }) => auditOperation);
    await expect.poll(operations).toEqual(['SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE']);
    await site.globex.delete('/2.0/files/data/flow.txt');
    await expect.poll(operations).toEqual(['SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE', 'SERVER_DELETE_FILE']);
  });

  test('has the size and the SHA-256 of what was uploaded and downloaded, and none of what was only deleted', async () => {
    const content = randomBytes(70_000);
    const put = await site.globex.put('/2.0/files/data/weighed.bin', { multipart: formOf(new Uint8Array(content)) });
    await site.globex.get('/2.0/files/data/weighed.bin', { headers: { range: 'bytes=0-39999' } });
    await site.globex.get('/2.0/files/data/weighed.bin', { headers: { range: 'bytes=30000-69999' } });
    const dfiid = put.headers.get('x-dataflow-id');
    const contents = async () =>
      (await site.rig.audited())
        .filter((record) => record.dfiid === dfiid)
        .map(({ auditOperation, context }) => [auditOperation, context?.['fileSize'], context?.['fileHash']]);
    const fileHash = createHash('sha256').update(content).digest('hex');
    const transferred = ['SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE'].map((name) => [name, 70_000, fileHash]);
    // The parts of a download are one record, of the whole.
    await expect.poll(contents).toEqual(transferred);
    await site.globex.delete('/2.0/files/data/weighed.bin');
    await expect.poll(contents).toEqual([...transferred, ['SERVER_DELETE_FILE', undefined, undefined]]);
  });

  test('records a download when its last byte was sent: not for HEAD, not for a part before the end', async () => {
    const put = await site.globex.put('/2.0/files/data/parts.txt', { multipart: formOf('0123456789') });
    const dfiid = put.headers.get('x-dataflow-id');
    const downloads = async () =>
      (await site.rig.audited()).filter(
        (record) => record.dfiid === dfiid && record.auditOperation === 'SERVER_DOWNLOAD_FILE',
      );
    await site.globex.request('HEAD', '/2.0/files/data/parts.txt');
    await site.globex.get('/2.0/files/data/parts.txt', { headers: { range: 'bytes=0-4' } });
    await site.globex.get('/2.0/files/data/parts.txt', { headers: { range: 'bytes=5-9' } });
    await expect.poll(async () => (await downloads()).length).toBe(1);
    // No more are to follow.
    await delay(200);
    expect(await downloads()).toHaveLength(1);
  });
});

describe('the stop', () => {
  test('lets a running upload complete', async () => {
    const stopping = await site.rig.start('peer9');
    const client = await stopping.logIn('globex');
    const gate = Promise.withResolvers<void>();
    const parts = [head, 'first ', 'second', '\r\n--b--\r\n'];
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const part = parts.shift();
        if (part === 'second') await gate.promise;
        if (part === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(part));
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const upload = client.put('/2.0/files/data/last.txt', { body, headers });
    const begun = () => site.rig.database.query('select from filebox.uploads');
    await waitFor(async () => (await begun()).length > 0, { what: 'the upload to begin' });
    const stopped = stopping[Symbol.asyncDispose]();
    await expect.poll(() => fetch(stopping.url).then(Boolean, () => 'refused')).toBe('refused');
    gate.resolve();
    expect((await upload).status).toBe(201);
    await stopped;
    expect((await site.globex.get('/2.0/files/data/last.txt')).text).toBe('first second');
  });
});
