import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme', 'hooli'] });

beforeAll(async () => {
  for (const [name, content] of [
    ['b.csv', 'bb'],
    ['a.csv', 'aaaa'],
    ['c.txt', 'c'],
  ] as const) {
    await site.acme.put(`/2.0/files/inbox/${name}`, { multipart: formOf(content, { type: 'text/csv' }) });
  }
});

interface Listing {
  uri: string;
  totalCount: string;
  files: {
    uri: string;
    metaUri?: string;
    filename: string;
    directory: boolean;
    attributes: Record<string, string>;
  }[];
}

const list = async (client: HttpClient, path: string, query: Record<string, string> = {}) =>
  (await client.get(`/2.0/directories${path}`, { query })).json() as Listing;

const names = async (client: HttpClient, path: string, query: Record<string, string> = {}) =>
  (await list(client, path, query)).files.map(({ filename }) => filename);

describe('D8 GET /countelements/<path>', () => {
  test.each([
    ['', '4'],
    ['?filter=*.csv', '2'],
    ['?type=files', '3'],
    ['?type=folders', '1'],
    ['?filter=s*&type=folders', '1'],
    ['?filter=nothing*', '0'],
    ['?filter=', '4'],
  ])('returns a bare number for %s', async (query, expected) => {
    const answer = await site.acme.get(`/2.0/countelements/inbox${query}`);
    expect([answer.status, answer.text]).toEqual([200, expected]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/u);
  });
});

describe('D9 GET /directories/<path>', () => {
  test('returns all attributes of files, and folders without fileset and metaUri', async () => {
    const base = `${site.peer.url}/2.0`;
    const { uri, totalCount, files } = await list(site.acme, '/inbox');
    expect({ uri, totalCount }).toEqual({ uri: `${base}/directories/inbox`, totalCount: '4' });
    expect(files[0]).toEqual({
      id: '/inbox/a.csv',
      uri: `${base}/files/inbox/a.csv`,
      metaUri: `${base}/metadata/inbox/a.csv`,
      filename: 'a.csv',
      fileset: expect.any(Number) as number,
      owner: 'acme',
      directory: false,
      attributes: {
        dstFileName: '',
        size: '4',
        correlationId: '',
        putDate: expect.stringMatching(/Z$/u) as string,
        firstReadDate: '',
        lastModifiedTime: expect.stringMatching(/Z$/u) as string,
        lastAccessTime: '',
        creationTime: expect.stringMatching(/Z$/u) as string,
        datatype: 'text/csv',
        description: '',
      },
    });
    expect(files.find(({ directory }) => directory)).toEqual({
      id: '/inbox/sub',
      uri: `${base}/directories/inbox/sub`,
      filename: 'sub',
      owner: '',
      directory: true,
      attributes: expect.objectContaining({ size: '', putDate: '' }) as unknown,
    });
  });

  test('every returned address can be followed', async () => {
    const { files } = await list(site.acme, '/inbox');
    for (const address of files.flatMap(({ uri, metaUri }) => [uri, ...(metaUri === undefined ? [] : [metaUri])])) {
      expect((await site.acme.get(address.slice(site.peer.url.length))).status).toBe(200);
    }
  });

  test('returns addresses that the client behind the proxy can use', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'files.example.org' };
    const { uri } = (await site.acme.get('/2.0/directories/inbox', { headers })).json() as Listing;
    expect(uri).toBe('https://files.example.org/2.0/directories/inbox');
  });

  test.each<[Record<string, string>, string[]]>([
    [{}, ['a.csv', 'b.csv', 'c.txt', 'sub']],
    [{ direction: 'DESC' }, ['sub', 'c.txt', 'b.csv', 'a.csv']],
    [{ direction: 'desc', type: 'files' }, ['c.txt', 'b.csv', 'a.csv']],
    [{ sort: 'size', type: 'files' }, ['c.txt', 'b.csv', 'a.csv']],
    [{ sort: 'put_date', type: 'files' }, ['b.csv', 'a.csv', 'c.txt']],
    [{ sort: 'put_date', direction: 'DESC', type: 'files' }, ['c.txt', 'a.csv', 'b.csv']],
    [{ foldersFirst: 'true' }, ['sub', 'a.csv', 'b.csv', 'c.txt']],
    [{ foldersFirst: 'true', direction: 'DESC', sort: 'put_date' }, ['sub', 'c.txt', 'a.csv', 'b.csv']],
    [{ foldersFirst: 'true', start: '1', limit: '2' }, ['a.csv', 'b.csv']],
    [{ foldersFirst: 'true', type: 'files' }, ['a.csv', 'b.csv', 'c.txt']],
    [{ foldersFirst: 'false' }, ['a.csv', 'b.csv', 'c.txt', 'sub']],
    [{ filter: '*.csv' }, ['a.csv', 'b.csv']],
    [{ filter: 'a*v' }, ['a.csv']],
    [{ filter: '_.csv' }, []],
    [{ type: 'folders' }, ['sub']],
    [{ start: '1', limit: '2' }, ['b.csv', 'c.txt']],
    [{ start: '9' }, []],
    [{ limit: '0' }, []],
  ])('sorts, filters and pages for %j', async (query, expected) => {
    expect(await names(site.acme, '/inbox', query)).toEqual(expected);
  });

  test('sorts by the first read and by the expiry date; those without one, and equal ones, are sorted by name', async () => {
    for (const name of ['3', '1', '2']) {
      await site.hooli.put(`/2.0/files/own/reports/${name}`, { multipart: formOf('x') });
    }
    const sorted = (sort: string, direction: string) => names(site.hooli, '/own/reports', { sort, direction });
    expect(await sorted('read_date', 'ASC')).toEqual(['1', '2', '3']);
    await site.hooli.get('/2.0/files/own/reports/2');
    await expect.poll(() => sorted('read_date', 'DESC')).toEqual(['2', '3', '1']);
    const json = { 'SPFB_SP2_FILE_SYS_MD.EXPIRY_DATE': '2126-01-01T00:00:00Z' };
    await site.hooli.post('/2.0/metadata/own/reports/3', { json });
    expect(await sorted('expiry_date', 'ASC')).toEqual(['3', '1', '2']);
    expect(await sorted('expiry_date', 'DESC')).toEqual(['2', '1', '3']);
    expect(await sorted('size', 'DESC')).toEqual(['3', '2', '1']);
  });

  test('counts all pages', async () => {
    expect((await list(site.acme, '/inbox', { limit: '1' })).totalCount).toBe('4');
    expect((await list(site.acme, '/inbox', { filter: '*.csv', limit: '1' })).totalCount).toBe('2');
  });

  test('returns at most 500 elements by default, and never more than 10 000', async () => {
    const globex = await site.peer.logIn('globex');
    await globex.put('/2.0/folders/data/many');
    await site.rig.database.query(
      `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner)
       SELECT vfs_id, id, 'folder', lpad(n::text, 5, '0'), '' FROM filebox.entries, generate_series(1, 10001) AS n
       WHERE name = 'many'`,
    );
    for (const [query, length, first] of [
      [{}, 500, '00001'],
      [{ start: '9900' }, 101, '09901'],
      [{ limit: '501' }, 501, '00001'],
      [{ limit: '20000' }, 10_000, '00001'],
    ] as const) {
      const { files, totalCount } = await list(globex, '/data/many', query);
      expect([files.length, files[0]?.filename, totalCount]).toEqual([length, first, '10001']);
    }
  });

  test('returns the requested attributes', async () => {
    const { files } = await list(site.acme, '/inbox', { attributes: 'size,datatype', filter: 'a.csv' });
    expect(files[0]?.attributes).toEqual({ size: '4', datatype: 'text/csv' });
  });

  test.each([
    ['/2.0/directories/inbox', 'strat', '2', 'is not a parameter of this request; did you mean start?'],
    ['/2.0/directories/inbox', '_', '1732130000', 'is not a parameter of this request'],
    ['/2.0/countelements/inbox', 'fliter', 'x', 'is not a parameter of this request; did you mean filter?'],
    ['/2.0/countelements/inbox', 'limit', '1', 'is not a parameter of this request'],
    ['/2.0/countelements/inbox', '__proto__', 'x', 'is not a parameter of this request'],
  ])('refuses %s with the unknown parameter %s', async (path, name, value, message) => {
    const answer = await site.acme.get(`${path}?${name}=${value}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      message: 'Missing parameters or syntax error',
      errorType: 'request_syntax',
      detail: `${name}: ${message}`,
    });
  });

  test('lists the root, with and without a slash', async () => {
    const expected = ['drop', 'inbox', 'outbox'];
    expect(await names(site.acme, '/')).toEqual(expected);
    expect(await names(site.acme, '')).toEqual(expected);
  });

  test('shows mounts and the folders that lead to them, once', async () => {
    expect(await names(site.hooli, '/')).toEqual(['own']);
    expect(await names(site.hooli, '/own')).toEqual(['shared', 'reports']);
    expect(await names(site.hooli, '/own', { start: '1', limit: '1' })).toEqual(['reports']);
    expect((await list(site.hooli, '/own')).totalCount).toBe('2');
    expect((await site.hooli.get('/2.0/countelements/own')).text).toBe('2');
    expect((await site.hooli.get('/2.0/countelements/')).text).toBe('1');
    expect(await names(site.hooli, '/own/shared')).toEqual([]);
    await site.hooli.put('/2.0/files/own/shared/x.txt', { multipart: formOf('x') });
    expect(await names(site.hooli, '/own/shared')).toEqual(['x.txt']);
  });
});
