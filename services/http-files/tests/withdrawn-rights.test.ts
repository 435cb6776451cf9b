import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onePeer } from './test-peers.ts';
import { append, begin, inspect, tusResumable } from './tus-requests.ts';
import { withdrawals, withdrawalOf } from './withdrawals.ts';

const site = onePeer();
let acme: HttpClient;

beforeAll(async () => {
  const content = randomBytes(18_000_000).toString('hex');
  await site.rig.plant('acme-files', '/inbox/sub/large.bin', content);
});
beforeEach(async () => {
  acme = await site.peer.logIn('acme');
  first = Buffer.alloc(first.length + 1, 'a');
});
afterEach(async () => {
  for (const { undo } of Object.values(withdrawals)) await site.rig.database.query(undo);
  await site.rig.database.query(`DELETE FROM filebox.entries WHERE name = 'cut.bin'`);
});
/** Of a different size in each test, to recognise its bytes on the disk. */
let first = Buffer.alloc(200_000, 'a');
const second = Buffer.alloc(100_000, 'b');
const size = () => first.length + second.length;

/** From the answer of each withdrawal to the end of the transfer that it ends by itself. */
const secondsToEnd: number[] = [];

/** An upload of which `first` was sent. */
interface RunningUpload {
  readonly answer: Promise<IncomingMessage>;
  /** Sends the remaining bytes. */
  finish(): void;
}

function send(method: string, path: string, headers: Readonly<Record<string, string>>): ClientRequest {
  const sending = request(`${site.peer.url}${path}`, {
    method,
    headers: { cookie: acme.cookies.header() ?? '', ...headers },
  });
  sending.on('error', () => {});
  return sending;
}

function startUpload(sending: ClientRequest, { head = '', tail = '' } = {}): RunningUpload {
  const answer = once(sending, 'response').then(([response]) => response as IncomingMessage);
  sending.write(head);
  sending.write(first);
  return {
    answer,
    finish: () => {
      sending.write(second);
      sending.end(tail);
    },
  };
}

const formHead = '--b\r\nContent-Disposition: form-data; name="file"; filename="cut.bin"\r\n\r\n';
const formTail = '\r\n--b--\r\n';

const uploads: Readonly<Record<string, () => Promise<RunningUpload>>> = {
  PUT: async () => {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(size()) };
    return startUpload(send('PUT', '/2.0/files/inbox/cut.bin', headers));
  },
  'PUT with an Idempotency-Key': async () => {
    const key = { 'idempotency-key': randomBytes(8).toString('hex') };
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(size()), ...key };
    return startUpload(send('PUT', '/2.0/files/inbox/cut.bin', headers));
  },
  'POST of a form': async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    return startUpload(send('POST', '/2.0/files/inbox', headers), { head: formHead, tail: formTail });
  },
  'PATCH of tus': async () => {
    const { path } = await begin(acme, { path: 'inbox/cut.bin' }, size());
    const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    return startUpload(send('PATCH', path, { ...tusResumable, ...part, 'content-length': String(size()) }));
  },
};

/** Before that the server may not have read the rights of the user. */
const begun = () =>
  waitFor(async () => (await sizesOnDisk()).includes(first.length), { what: 'the upload to be on the disk' });

async function sizesOnDisk(): Promise<number[]> {
  const blobs = join(site.rig.folder, 'blobs');
  const names = await readdir(blobs, { recursive: true });
  return Promise.all(names.map(async (name) => (await stat(join(blobs, name))).size));
}

async function refusalOf(response: IncomingMessage): Promise<unknown[]> {
  const chunks = await response.toArray();
  const { errorType } = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as { errorType: string };
  return [response.statusCode, errorType];
}

const recordsOf = async (before: number) =>
  (await site.rig.audited())
    .slice(before)
    .filter(({ auditOperation }) => auditOperation === 'SERVER_UPLOAD_FILE')
    .map(({ auditMessage }) => auditMessage.replace(/FilesetId \d+/u, 'FilesetId N'));

const storedFiles = () => site.rig.database.query(`SELECT FROM filebox.entries WHERE name = 'cut.bin'`);
const announced = async () =>
  (await site.rig.database.query(`SELECT FROM outbox.events WHERE topic = 'file-event'`)).length;

const cases = Object.keys(withdrawals).flatMap((cause) => Object.keys(uploads).map((way) => [way, cause] as const));

describe.each(cases)('%s whose user %s', (way, cause) => {
  const { change, refusal, reason } = withdrawalOf(cause);

  test.each([
    ['in the middle is ended while its client is silent', 0],
    ['just before its last byte is not committed', 1],
  ])('%s', async (_, sendsRest) => {
    const [before, events] = [(await site.rig.audited()).length, await announced()];
    const upload = await uploads[way]!();
    await begun();
    await site.rig.database.query(change);
    const withdrawnAt = performance.now();
    if (sendsRest) upload.finish();
    const answer = await upload.answer;
    if (!sendsRest) secondsToEnd.push((performance.now() - withdrawnAt) / 1_000);
    expect(await refusalOf(answer)).toEqual(refusal);
    expect(await storedFiles()).toEqual([]);
    await expect.poll(() => recordsOf(before)).toEqual([`Server upload file /inbox/cut.bin was refused: ${reason}`]);
    expect(await announced()).toBe(events);
  });
});

test('an interrupted resumable upload continues where it was when its user has the right again', async () => {
  const { path } = await begin(acme, { path: 'inbox/cut.bin' }, size());
  const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const upload = startUpload(send('PATCH', path, { ...tusResumable, ...part, 'content-length': String(size()) }));

  await begun();
  await site.rig.database.query(withdrawalOf('loses the permission').change);
  expect(await refusalOf(await upload.answer)).toEqual([403, 'authorization']);
  await site.rig.database.query(withdrawalOf('loses the permission').undo);
  const { headers } = await waitFor(
    async () => {
      const answer = await inspect(acme, path);
      return answer.status === 200 ? answer : undefined;
    },
    { what: 'the upload to be there' },
  );
  const offset = Number(headers.get('upload-offset'));
  const rest = Buffer.concat([first, second]).subarray(offset);
  expect((await append(acme, path, offset, new Uint8Array(rest))).status).toBe(204);
  expect(await storedFiles()).toHaveLength(1);
});

const downloads: Readonly<Record<string, string>> = {
  GET: '/2.0/files/inbox/sub/large.bin',
  'GET of an archive': '/2.0/archive/inbox/sub',
};

const cuts = Object.keys(withdrawals).flatMap((cause) => Object.keys(downloads).map((way) => [way, cause] as const));

const cutAnswers = (path: string) =>
  site.peer.logLines.filter((line) => line.includes(`"path":"${path}"`) && line.includes('"complete":false')).length;

describe.each(cuts)('%s whose user %s', (way, cause) => {
  test('is cut off', async () => {
    const path = downloads[way]!;
    const [before, cutBefore] = [(await site.rig.audited()).length, cutAnswers(path)];
    const sending = send('GET', path, {});
    sending.end();
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    await site.rig.database.query(withdrawalOf(cause).change);
    const withdrawnAt = performance.now();
    await waitFor(() => cutAnswers(path) > cutBefore, { what: 'the answer to end' });
    secondsToEnd.push((performance.now() - withdrawnAt) / 1_000);
    await expect(response.toArray()).rejects.toThrow('aborted');
    const records = (await site.rig.audited()).slice(before).map(({ auditOperation }) => auditOperation);
    expect(records).not.toContain('SERVER_DOWNLOAD_FILE');
  });
});

test('a download continues after a change that does not affect its user', async () => {
  const sending = send('GET', '/2.0/files/inbox/sub/large.bin', {});
  sending.end();
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  await site.rig.database.query(`UPDATE directory.acl_rules SET grants = '[]' WHERE path = '/drop'`);
  await site.rig.database.query(`UPDATE directory.partner_users SET enabled = false WHERE name = 'globex'`);
  await expect(waitFor(() => false, { what: 'nothing', timeoutMs: 2_500 })).rejects.toThrow('in vain');
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(36_000_000);
});

// The median, because the slowest ones show how loaded the machine is. That neither a notification nor the poll takes longer is
// shown by `packages/directory/tests/withdrawal-times.test.ts`, whatever the load.
test('transfers end within a second of the withdrawal', () => {
  const sorted = secondsToEnd.toSorted((one, other) => one - other);
  expect(sorted.length).toBeGreaterThan(0);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(1);
});
