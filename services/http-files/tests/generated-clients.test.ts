import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFilesRig, type FilesRig } from './files-rig.ts';
import { formOf } from './form-of.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

let rig: FilesRig;
let globex: HttpClient;
let document: Document;

beforeAll(async () => {
  rig = await createFilesRig();
  const peer = await rig.start('peer1');
  globex = await peer.logIn('globex');
  document = (await globex.get('/2.0/openapi.json')).json() as Document;
});

afterAll(() => rig[Symbol.asyncDispose]());

/** Method and address of an operation, as generators build them: a path parameter is one encoded segment. */
function addressOf(operationId: string, path: string): [method: string, address: string] {
  for (const [template, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.operationId !== operationId) continue;
      return [method.toUpperCase(), template.replace('{path}', encodeURIComponent(path))];
    }
  }
  throw new Error(`${operationId} is not in the document`);
}

const call = (operationId: string, path: string, options: object = {}) =>
  globex.request(...addressOf(operationId, path), options);

describe('a client that was generated from the OpenAPI document', () => {
  test.each([
    ['relative', ''],
    ['absolute, like the ids of listings', '/'],
  ])('stores, lists, describes, reads and deletes below a folder by paths that are %s', async (how, root) => {
    const parent = `${root}data/${how}`;
    const [folder, file] = [`${parent}/2026`, `${parent}/2026/été & co.csv`];
    for (const each of [parent, folder]) expect((await call('createFolder', each)).status).toBe(201);
    expect((await call('uploadFile', file, { multipart: formOf('x') })).status).toBe(201);
    const added = await call('uploadFileWithMetadata', folder, { multipart: formOf('y', { name: 'more.csv' }) });
    expect(added.status).toBe(201);
    const { files } = (await call('listFolder', folder)).json() as { files: { id: string; filename: string }[] };
    expect(files.map(({ filename }) => filename)).toEqual(['more.csv', 'été & co.csv']);
    expect((await call('countElements', folder)).text).toBe('2');
    expect((await call('updateMetadata', file, { json: { A: '1' } })).status).toBe(200);
    for (const { id } of files) expect((await call('readMetadata', id)).json()).toMatchObject({ id });
    expect((await call('downloadFile', file)).text).toBe('x');
    for (const { id } of files) expect((await call('deleteFile', id)).status).toBe(200);
  });

  test('lists the root', async () => {
    const { files } = (await call('listFolder', '/')).json() as { files: { filename: string }[] };
    expect(files.map(({ filename }) => filename)).toContain('data');
  });
});
