import { expect, test } from 'vitest';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['globex'] });

const namesIn = async (folder: string) => {
  const { files } = (await site.globex.get(`/2.0/directories${folder}`)).json() as { files: { filename: string }[] };
  return files.map(({ filename }) => filename);
};

test.each([
  ['spaces', ' two  spaces '],
  ['255 bytes of ASCII', 'n'.repeat(255)],
  ['255 bytes of UTF-8', `${'ř'.repeat(127)}x`],
  ['characters with a meaning in addresses and patterns', `%2F *_?#&=;+"'<>`],
  ['letters from right to left, and an emoji of several code points', '\u05E9\u05DC\u05D5\u05DD 👩‍🚀'],
  ['dots', '...'],
])('a name with %s is stored, listed, described, moved and read unchanged', async (_what, name) => {
  const encoded = encodeURIComponent(name);
  expect((await site.globex.put('/2.0/folders/data/names')).status).toBeLessThan(500);
  expect((await site.globex.post('/2.0/files/data/names', { multipart: formOf('x', { name: 'first' }) })).status).toBe(
    201,
  );
  const moved = await site.globex.post('/2.0/move', { json: { from: 'data/names/first', to: `data/names/${name}` } });
  expect(moved.status).toBe(200);
  expect((await site.globex.put(`/2.0/files/data/names/${encoded}`, { multipart: formOf(name) })).status).toBe(201);
  expect(await namesIn('/data/names')).toEqual([name]);
  const described = (await site.globex.get(`/2.0/metadata/data/names/${encoded}`)).json();
  expect(described).toMatchObject({ filename: name, id: `/data/names/${name}` });
  expect((await site.globex.get(`/2.0/files/data/names/${encoded}`)).text).toBe(name);
  expect((await site.globex.delete(`/2.0/files/data/names/${encoded}`)).status).toBe(200);
});

test('both normal forms of a name are one name, which responses have in NFC', async () => {
  const [composed, apart] = ['\u0159eka.txt', 'r\u030Ceka.txt'];
  for (const [index, name] of [apart, composed].entries()) {
    const put = await site.globex.put(`/2.0/files/data/${encodeURIComponent(name)}`, {
      multipart: formOf(String(index)),
    });
    expect(put.status).toBe(201);
  }
  expect((await site.globex.get(`/2.0/files/data/${encodeURIComponent(apart)}`)).text).toBe('1');
  expect(await namesIn('/data?filter=*eka.txt')).toEqual([composed]);
  expect((await site.globex.get(`/2.0/countelements/data?filter=${encodeURIComponent(apart)}`)).text).toBe('1');
});

test('a path is as deep as its 4096 bytes allow, and a slash at its end changes nothing', async () => {
  // `/data` and 63 names of 63 bytes, each after its slash: 4037 bytes.
  let folder = '/data';
  for (let depth = 0; depth < 63; depth += 1) {
    folder += `/${String(depth).padStart(63, 'd')}`;
    expect((await site.globex.put(`/2.0/folders${folder}`)).status).toBe(201);
  }
  const longest = `${folder}/${'f'.repeat(4096 - folder.length - 1)}`;
  expect((await site.globex.put(`/2.0/files${longest}`, { multipart: formOf('deep') })).status).toBe(201);
  expect((await site.globex.get(`/2.0/files${longest}`)).text).toBe('deep');
  expect((await site.globex.put(`/2.0/files${longest}f`, { multipart: formOf('deeper') })).status).toBe(400);
  expect(await namesIn(`${folder}/`)).toEqual(await namesIn(folder));
  expect((await site.globex.delete(`/2.0/folders/data/${'0'.padStart(63, 'd')}?recursive=true`)).status).toBe(200);
});
