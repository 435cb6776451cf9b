import { beforeAll, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';
import { begin } from './tus-requests.ts';

const site = onePeer({ users: ['acme'] });

beforeAll(async () => {
  await site.acme.put('/2.0/files/inbox/there.txt', { multipart: formOf('x') });
});

const syntaxError = [400, 'request_syntax', 'Missing parameters or syntax error'];
const expiry = (date: string) => ({ 'SPFB_SP2_FILE_SYS_MD.EXPIRY_DATE': date });
const detailOf = (answer: { json(): unknown }) => (answer.json() as { detail: string }).detail;

function keys(count: number, prefix: string, value = ''): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value]));
}

test('D6 adds keys up to the limits of a file in number and bytes, and names the limit then', async () => {
  const address = '/2.0/metadata/inbox/there.txt';
  expect((await site.acme.post(address, { json: keys(200, 'a') })).status).toBe(200);
  expect((await site.acme.post(address, { json: keys(200, 'a', 'again') })).status).toBe(200);
  const many = await site.acme.post(address, { json: keys(100, 'b') });
  expect(failureOf(many)).toEqual(syntaxError);
  expect(detailOf(many)).toContain('at most 256 metadata keys');
  const long = await site.acme.post(address, { json: keys(20, 'c', 'v'.repeat(4096)) });
  expect(failureOf(long)).toEqual(syntaxError);
  expect(detailOf(long)).toContain('at most 65536 bytes');
  expect((await site.acme.get(address)).text).not.toMatch(/"[bc]0"/u);
});

test.each([
  ['keys', keys(257, 'k'), '256'],
  ['bytes', keys(20, 'k', 'v'.repeat(4096)), '65536'],
])('a form with more %s of metadata than the limit of a file stores nothing', async (_what, values, limit) => {
  const multipart = formOf('x', { name: 'much.txt', metadata: JSON.stringify(values) });
  const answer = await site.acme.post('/2.0/files/inbox', { multipart });
  expect(failureOf(answer)).toEqual(syntaxError);
  expect(detailOf(answer)).toContain(limit);
  expect((await site.acme.get('/2.0/files/inbox/much.txt')).status).toBe(404);
});

test('a resumable upload with more metadata than the limit of a file is not begun', async () => {
  const answer = await begin(site.acme, { path: 'inbox/much.txt', ...keys(257, 'k') }, 1);
  expect(failureOf(answer)).toEqual(syntaxError);
  expect(detailOf(answer)).toContain('256');
});

test('a user without the delete permission cannot set the expiry of a file; its uploader can set it at the upload', async () => {
  const metadata = JSON.stringify(expiry('2099-01-01T00:00:00Z'));
  const stored = await site.acme.post('/2.0/files/drop', { multipart: formOf('x', { name: 'own.txt', metadata }) });
  expect(stored.status).toBe(201);
  for (const date of ['2001-01-01T00:00:00Z', '']) {
    const answer = await site.acme.post('/2.0/metadata/drop/own.txt', { json: { A: '1', ...expiry(date) } });
    expect(failureOf(answer)).toEqual([403, 'authorization', 'No write permission']);
    expect(detailOf(answer)).toContain('EXPIRY_DATE');
  }
  expect((await site.acme.post('/2.0/metadata/drop/own.txt', { json: { A: '1' } })).status).toBe(200);
  const mayDelete = await site.acme.post('/2.0/metadata/inbox/there.txt', { json: expiry('2099-01-01T00:00:00Z') });
  expect(mayDelete.status).toBe(200);
});

test('a change of metadata is audited, with its user, the file and the keys, not their values', async () => {
  await site.acme.put('/2.0/files/inbox/told.txt', { multipart: formOf('x') });
  await site.acme.post('/2.0/metadata/inbox/told.txt', {
    json: { UNIT: 'top secret', ...expiry('2099-01-01T00:00:00Z') },
  });
  const changes = async () =>
    (await site.rig.audited()).filter(({ auditMessage }) => auditMessage.includes('told.txt'));
  const last = (await changes()).at(-1);
  expect(last).toMatchObject({ auditOperation: 'MODIFY', dataoneUser: 'acme' });
  expect(last?.auditMessage).toMatch(
    /^User acme has changed metadata of file \/inbox\/told\.txt FilesetId \d+: SPFB_SP2_FILE_SYS_MD\.EXPIRY_DATE, UNIT$/u,
  );
});
