import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, expect, test } from 'vitest';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme'] });

beforeAll(async () => {
  await site.acme.put('/2.0/files/inbox/a.txt', { multipart: formOf('x') });
  await site.rig.plant('acme-files', '/private/blind/hidden.txt', 'hidden');
});

const told = (answer: HttpResponse) => {
  const { message, detail } = answer.json() as { message: string; detail?: string };
  return [answer.status, message, detail];
};

test('an archive of a file is refused as that of a file, if the user may know it', async () => {
  const detail = "'/inbox/a.txt' is a file: GET /2.0/files reads it, or name it in the archive of its folder";
  expect(told(await site.acme.get('/2.0/archive/inbox/a.txt'))).toEqual([400, 'The path is not a folder', detail]);
  expect((await site.acme.get('/2.0/archive/inbox/none.txt')).status).toBe(404);
  for (const name of ['hidden.txt', 'none.txt']) {
    expect((await site.acme.get(`/2.0/archive/private/blind/${name}`)).status).toBe(403);
  }
});

test('a request of tus without its version names the header', async () => {
  for (const headers of [{}, { 'tus-resumable': '2.0.0' }]) {
    for (const method of ['PATCH', 'HEAD', 'POST']) {
      const path = method === 'POST' ? '/2.0/uploads' : '/2.0/uploads/4be0643f-1d98-573b-97cd-ca98a65347dd';
      const answer = await site.acme.request(method, path, { headers });
      expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0']);
      if (method !== 'HEAD') expect(told(answer)[2]).toBe('tus-resumable: must be 1.0.0');
    }
  }
});

test('an EXPIRY_DATE without a time is refused with an example', async () => {
  const key = 'SPFB_SP2_FILE_SYS_MD.EXPIRY_DATE';
  const example = '2026-12-31T23:59:59Z';
  for (const value of ['2126-12-31', '2126-12-31T23:59', 'tomorrow']) {
    const answer = await site.acme.post('/2.0/metadata/inbox/a.txt', { json: { [key]: value } });
    const detail = `The metadata key '${key}' must be a time in ISO 8601, such as ${example}`;
    expect(told(answer)).toEqual([400, 'Missing parameters or syntax error', detail]);
  }
  expect(
    (await site.acme.post('/2.0/metadata/inbox/a.txt', { json: { [key]: example.replace('20', '21') } })).status,
  ).toBe(200);
});
