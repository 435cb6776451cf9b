import { randomUUID } from 'node:crypto';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { expect, test } from 'vitest';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';
import { begin } from './tus-requests.ts';

const site = onePeer({ users: ['globex'] });

const tables = async () =>
  (await site.rig.database.query('select count(*)::int as tables from pg_class')).map(
    ({ tables: count }) => count as number,
  );

interface Listing {
  totalCount: string;
  files: { filename: string }[];
}

test.each([
  `'; DROP TABLE filebox.entries CASCADE; --`,
  `' OR '1'='1`,
  `"; DELETE FROM http_files.receipts; --`,
  `$1 :name :folderId ? ?? \\? %s`,
  String.raw`\' OR name LIKE '%`,
  `{"a":1},{x}`,
  `$$; SELECT pg_sleep(30); $$`,
])('%s is an ordinary text, wherever it is sent', async (hostile) => {
  const name = hostile.replaceAll('/', '_');
  const [address, folder] = [
    `/data/${encodeURIComponent(name)}/${encodeURIComponent(name)}`,
    `/data/${encodeURIComponent(name)}`,
  ];
  const before = await tables();
  await site.globex.put('/2.0/files/data/bystander', { multipart: formOf('x') });
  expect((await site.globex.put(`/2.0/folders${folder}`)).status).toBe(201);
  const metadata = JSON.stringify({ [hostile]: hostile, 'SPFB_SP2_FILE_SYS_MD.DESCRIPTION': hostile });
  const headers = { 'idempotency-key': encodeURIComponent(hostile).slice(0, 200) };
  const stored = await site.globex.put(`/2.0/files${address}`, { multipart: formOf(hostile, { metadata }), headers });
  expect(stored.status).toBe(201);
  expect((await site.globex.post(`/2.0/metadata${address}`, { json: { [`${hostile}2`]: hostile } })).status).toBe(200);
  expect((await site.globex.get(`/2.0/metadata${address}`)).json()).toMatchObject({
    filename: name,
    attributes: { description: hostile },
    metadata: { [hostile]: hostile, [`${hostile}2`]: hostile },
  });
  for (const sort of ['name', 'size', 'put_date', 'read_date', 'expiry_date']) {
    const query = { filter: name.replaceAll('*', ''), sort, direction: 'DESC' };
    const listing = (await site.globex.get(`/2.0/directories${folder}`, { query })).json() as Listing;
    expect([listing.totalCount, listing.files.map(({ filename }) => filename)]).toEqual(['1', [name]]);
  }
  for (const filter of [name, `*${name}`, `${name}*`, `*${name}*`]) {
    expect((await site.globex.get(`/2.0/countelements${folder}`, { query: { filter } })).text).toBe('1');
  }
  for (const query of [{ sort: hostile }, { direction: hostile }, { type: hostile }, { start: hostile }]) {
    expect((await site.globex.get(`/2.0/directories${folder}`, { query })).status).toBe(400);
  }
  expect((await site.globex.get(`/2.0/archive${folder}`, { query: { name } })).status).toBe(200);
  expect((await site.globex.get(`/2.0/receipts/${encodeURIComponent(hostile)}`)).status).toBeOneOf([400, 404]);
  expect(
    (
      await site.globex.request('HEAD', `/2.0/uploads/${encodeURIComponent(hostile)}`, {
        headers: { 'tus-resumable': '1.0.0' },
      })
    ).status,
  ).toBe(404);
  const begun = await begin(site.globex, { path: `data/${name}/${name}`, [randomUUID()]: hostile }, 1);
  expect(begun.status).toBe(201);
  const to = `data/${name}/${name}-moved`;
  expect((await site.globex.post('/2.0/move', { json: { from: `data/${name}/${name}`, to } })).status).toBe(200);
  const form = { username: hostile, password: hostile };
  expect((await createHttpClient(site.peer.url).post('/2.0/login/basic', { form })).status).toBe(401);
  const cookie = `sp-http-usr=${encodeURIComponent(hostile)}; sp-http-ses=${encodeURIComponent(hostile)}`;
  expect((await createHttpClient(site.peer.url).get('/2.0/directories/', { headers: { cookie } })).status).toBe(401);
  expect((await site.globex.delete(`/2.0/folders${folder}?recursive=true`)).status).toBe(200);
  expect((await site.globex.get('/2.0/files/data/bystander')).text).toBe('x');
  expect(await tables()).toEqual(before);
});
