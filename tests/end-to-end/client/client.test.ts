import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logOutEndpoint } from '@waybill/contracts/endpoints/access/log-out';
import { deleteFileEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-file';
import { listFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/list-folder';
import { followJobsEndpoint } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { createClient, type PlatformClient } from '@waybill/platform-client/create-client';
import { managerLogin, logIn, tokensInMemory } from '@waybill/platform-client/credentials/manager-login';
import { openLoginSession, partnerLogin } from '@waybill/platform-client/credentials/partner-login';
import { followEvents } from '@waybill/platform-client/events/follow-events';
import { isPlatformError } from '@waybill/platform-client/platform-error';
import { downloadFile } from '@waybill/platform-client/transfers/download-file';
import { uploadFile } from '@waybill/platform-client/transfers/upload-file';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from '../platform-process.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let proxy: CuttingProxy;
let folder: TestFolder;

beforeAll(async () => {
  platform = resources.use(await startPlatformProcess());
  proxy = resources.use(await startCuttingProxy(platform.url));
  folder = resources.use(await createTestFolder());
});
afterAll(() => resources.disposeAsync());

const admin = (url = platform.url): PlatformClient =>
  resources.use(
    createClient({ url, credentials: managerLogin(tokensInMemory(), (call) => logIn(call, 'admin', 'admin-demo')) }),
  );
const acme = (url = platform.url): PlatformClient => {
  const logInAgain = (call: PlatformClient['call']) => openLoginSession(call, 'acme', 'acme-demo');
  return resources.use(createClient({ url, credentials: partnerLogin({ logInAgain }) }));
};
const submission = { contractName: 'invoices', actionName: 'write-report' };

async function randomFile(name: string, bytes: number): Promise<{ file: string; sha256: string }> {
  const content = randomBytes(bytes);
  const file = join(folder.path, name);
  await writeFile(file, content);
  return { file, sha256: createHash('sha256').update(content).digest('hex') };
}

it('logs in by itself, and gives typed answers', async () => {
  const { body } = await admin().call(listQueuesEndpoint);
  expect(body.queues.map(({ name }) => name)).toContain('Default Queue');
});

it('a repeated submission is an answer, with the same job', async () => {
  const body = { ...submission, extIPID: 'client-once', actionVariables: { name: 'client', text: 'x' } };
  const first = await admin().call(submitJobEndpoint, { body });
  const second = await admin().call(submitJobEndpoint, { body });
  expect([first.status, second.status, second.body.id]).toEqual([201, 409, first.body.id]);
});

it('a refused token is renewed once, whatever asks for it at the same time', async () => {
  const store = tokensInMemory();
  const anonymous = resources.use(createClient({ url: platform.url }));
  const tokens = await logIn(anonymous.call, 'admin', 'admin-demo');
  await store.replace(async () => ({ ...tokens, accessToken: 'not.a.token' }));
  const client = resources.use(createClient({ url: platform.url, credentials: managerLogin(store) }));
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.call(listQueuesEndpoint)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
});

it('an expired token is renewed before it is sent, and the end of a login says so', async () => {
  const store = tokensInMemory();
  const client = resources.use(createClient({ url: platform.url, credentials: managerLogin(store) }));
  const tokens = await logIn(client.call, 'admin', 'admin-demo');
  await store.replace(async () => ({ ...tokens, expiresAt: Date.now() }));
  await client.call(listQueuesEndpoint);
  const renewed = (await store.read()) ?? tokens;
  expect(renewed.refreshToken).not.toBe(tokens.refreshToken);
  await client.call(logOutEndpoint, { body: { refreshToken: renewed.refreshToken } });
  await store.replace(async () => ({ ...renewed, expiresAt: Date.now() }));
  await expect(client.call(listQueuesEndpoint)).rejects.toMatchObject({ code: 'refresh_token_invalid', status: 401 });
});

it('wrong passwords are refused with their code, on both sides', async () => {
  const { call } = resources.use(createClient({ url: platform.url }));
  await expect(logIn(call, 'admin', 'wrong')).rejects.toMatchObject({ code: 'invalid_credentials', status: 401 });
  await expect(openLoginSession(call, 'acme', 'wrong')).rejects.toMatchObject({
    code: 'invalid_credentials',
    status: 401,
  });
});

it.each([
  [0, [] as number[]],
  [1, []],
  [30_000_000, [9_000_000, 500_000, 12_000_000]],
])('an upload of %i bytes arrives as it is over connections that break', async (size, limits) => {
  const client = acme(proxy.url);
  await client.call(listFolderEndpoint, { params: { path: 'inbox' } });
  const { file, sha256 } = await randomFile(`up-${size}`, size);
  const before = proxy.cuts();
  proxy.cutAfter(...limits);
  const seen: number[] = [];
  const stored = await uploadFile(client, {
    file,
    path: `/inbox/up-${size}.bin`,
    onProgress: ({ bytes }) => seen.push(bytes),
  });
  expect([stored.sha256, stored.size, proxy.cuts() - before]).toEqual([sha256, size, limits.length]);
  if (size > 0) expect(seen.at(-1)).toBe(size);
  const back = join(folder.path, `down-${size}`);
  proxy.cutAfter(...limits);
  const received = await downloadFile(client, { path: `/inbox/up-${size}.bin`, file: back });
  expect([
    received.sha256,
    createHash('sha256')
      .update(await readFile(back))
      .digest('hex'),
  ]).toEqual([sha256, sha256]);
  expect(proxy.cuts() - before).toBe(2 * limits.length);
  proxy.cutAfter();
});

it('an upload that was aborted is resumed by the next one, and a third stores the file again', async () => {
  const client = acme();
  const { file, sha256 } = await randomFile('aborted', 40_000_000);
  const abort = new AbortController();
  const first = uploadFile(client, {
    file,
    path: '/inbox/aborted.bin',
    signal: abort.signal,
    onProgress: ({ bytes }) => {
      if (bytes > 15_000_000) abort.abort();
    },
  });
  await expect(first).rejects.toMatchObject({ name: 'AbortError' });
  const second = await uploadFile(client, { file, path: '/inbox/aborted.bin' });
  expect(second.sha256).toBe(sha256);
  expect(second.resumedAt).toBeGreaterThan(0);
  await client.call(deleteFileEndpoint, { params: { path: 'inbox/aborted.bin' } });
  const third = await uploadFile(client, { file, path: '/inbox/aborted.bin' });
  expect([third.resumedAt, third.fileset === second.fileset]).toEqual([0, false]);
});

it('a download that was aborted is resumed, unless the file was replaced meanwhile', async () => {
  const client = acme();
  const { file: source } = await randomFile('source', 40_000_000);
  await uploadFile(client, { file: source, path: '/inbox/source.bin' });
  const file = join(folder.path, 'received');
  const interrupt = async (): Promise<void> => {
    const abort = new AbortController();
    const onProgress = ({ bytes }: { bytes: number }): void => {
      if (bytes > 15_000_000) abort.abort();
    };
    const download = downloadFile(client, { path: '/inbox/source.bin', file, signal: abort.signal, onProgress });
    await expect(download).rejects.toMatchObject({ name: 'AbortError' });
  };
  await interrupt();
  expect((await downloadFile(client, { path: '/inbox/source.bin', file })).resumedAt).toBeGreaterThan(0);
  await interrupt();
  const { file: replacement, sha256 } = await randomFile('replacement', 20_000_000);
  await uploadFile(client, { file: replacement, path: '/inbox/source.bin' });
  expect(await downloadFile(client, { path: '/inbox/source.bin', file })).toMatchObject({ sha256, resumedAt: 0 });
  expect((await readdir(folder.path)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

it('a download that fails leaves nothing under its name, and errors of the own disk are thrown at once', async () => {
  const client = acme();
  const file = join(folder.path, 'none');
  await expect(downloadFile(client, { path: '/inbox/no such', file })).rejects.toMatchObject({
    code: 'file_not_found',
  });
  expect(await readdir(folder.path)).not.toContain('none');
  const nowhere = join(folder.path, 'no folder', 'x');
  await expect(downloadFile(client, { path: '/inbox/up-1.bin', file: nowhere })).rejects.toMatchObject({
    code: 'ENOENT',
  });
  const upload = uploadFile(client, { file: nowhere, path: '/inbox/x' });
  await expect(upload).rejects.toMatchObject({ code: 'file_unusable', cause: { code: 'ENOENT' } });
});

it('without overwrite an existing file is left as it is', async () => {
  const { file } = await randomFile('other', 10);
  const upload = uploadFile(acme(), { file, path: '/inbox/up-1.bin', overwrite: false });
  await expect(upload).rejects.toMatchObject({ code: 'precondition_failed' });
});

it('events of jobs are followed over a connection that breaks, none is lost', async () => {
  const abort = new AbortController();
  const client = admin(proxy.url);
  const ended = new Set<number>();
  let interruptions = 0;
  let isReady = false;
  const options = { signal: abort.signal, onInterruption: () => (interruptions += 1) };
  const following = (async () => {
    for await (const { event, data } of followEvents(client, followJobsEndpoint, {}, options)) {
      isReady ||= event === 'ready';
      const change = event === 'change' ? (JSON.parse(data) as { id: number; status: string }) : undefined;
      if (change?.status === 'COMPLETED') ended.add(change.id);
    }
  })();
  await waitFor(() => isReady, { what: 'the stream to be ready' });
  proxy.cutAfter(600, 900, 900);
  const ids: number[] = [];
  for (let number = 0; number < 20; number += 1) {
    const actionVariables = { name: `event-${number}`, text: 'x' };
    ids.push((await admin().call(submitJobEndpoint, { body: { ...submission, actionVariables } })).body.id);
    await delay(20);
  }
  await waitFor(() => ids.every((id) => ended.has(id)), { what: 'all jobs to be seen as completed' });
  abort.abort();
  await following;
  expect(interruptions).toBeGreaterThan(0);
});

it('a part that dies and comes back is outlasted', async () => {
  const client = admin();
  await client.call(listJobsEndpoint);
  await platform.signal('job-manager', 'SIGKILL');
  const answer = await waitFor(
    async () =>
      client.call(listJobsEndpoint).catch((error: unknown) => {
        if (isPlatformError(error)) return undefined;
        throw error;
      }),
    { what: 'the job manager to answer again' },
  );
  expect(answer.status).toBe(200);
});
