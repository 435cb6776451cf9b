import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { type EndpointName, failureOf, requests } from './endpoint-requests.ts';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme'] });

beforeAll(async () => {
  await site.acme.put('/2.0/files/inbox/there.txt', { multipart: formOf('x') });
});

const readOnly = 'SPFB_SP2_FILE_SYS_MD.SENDER';
const bytes = new Uint8Array([120]);
const noBoundary = { body: bytes, headers: { 'content-type': 'multipart/form-data' } };
const put = (path: string, options: object) => site.acme.put(`/2.0/files${path}`, options);
const post = (path: string, options: object) => site.acme.post(`/2.0/files${path}`, options);
const describeIt = (path: string, options: object) => site.acme.post(`/2.0/metadata${path}`, options);

/** Requests that are invalid for any path. */
const wrong: [string, (path: string) => Promise<HttpResponse>][] = [
  ['D2 without a content type and without a body', (path) => put(`${path}/x`, {})],
  ['D2 without a boundary', (path) => put(`${path}/x`, noBoundary)],
  [
    'D2 with two conditions',
    (path) => put(`${path}/x`, { ...noBoundary, headers: { 'if-match': '*', 'if-none-match': '*' } }),
  ],
  ['D3 without a content type', (path) => post(path, { body: bytes })],
  ['D3 without a boundary', (path) => post(path, noBoundary)],
  ['D6 without a content type', (path) => describeIt(`${path}/x`, { body: bytes })],
  [
    'D6 with a body that is not JSON',
    (path) => describeIt(`${path}/x`, { body: '{', headers: { 'content-type': 'application/json' } }),
  ],
  ['D6 with a value that is not a text', (path) => describeIt(`${path}/x`, { json: { A: 1 } })],
  ['D6 with a key that is read-only', (path) => describeIt(`${path}/x`, { json: { [readOnly]: 'x' } })],
  ['D9 with an invalid limit', (path) => site.acme.get(`/2.0/directories${path}?limit=x`)],
  ['D8 with an invalid type', (path) => site.acme.get(`/2.0/countelements${path}?type=x`)],
];

describe('syntax is checked before the path and the permission', () => {
  test.each(wrong)('%s', async (_what, ask) => {
    for (const path of ['/inbox', '/inbox/none', '/none/deeper', '/private', '/outbox']) {
      expect(failureOf(await ask(path))).toEqual([400, 'request_syntax', 'Missing parameters or syntax error']);
    }
  });
});

describe('the path is checked before the permission, for a user who may list the parent folder', () => {
  test.each<[EndpointName, string, string]>([
    ['D2', '/outbox/none/x', "Path '/outbox/none' doesn't exist"],
    ['D3', '/outbox/none', "Path '/outbox/none' doesn't exist"],
    ['D5', '/outbox/none/x', "Path '/outbox/none' doesn't exist"],
    ['D6', '/outbox/none/x', "Path '/outbox/none' doesn't exist"],
    ['D4', '/none/x', "Path '/none' doesn't exist"],
    ['D7', '/none/x', "Path '/none' doesn't exist"],
  ])('%s of %s', async (endpoint, path, message) => {
    expect(failureOf(await requests[endpoint](site.acme, path))).toEqual([404, 'io', message]);
  });
});

describe('the permission is checked before the file', () => {
  test.each<[EndpointName, string, string]>([
    ['D5', '/outbox/none', 'No delete permission'],
    ['D6', '/outbox/none', 'No write permission'],
    ['D4', '/none', 'No read permission'],
    ['D7', '/none', 'No read permission'],
  ])('%s of %s', async (endpoint, path, message) => {
    expect(failureOf(await requests[endpoint](site.acme, path))).toEqual([403, 'authorization', message]);
  });
});

test.each([readOnly, 'SPFB_SP2_FILE_SYS_MD.NO_SUCH_KEY'])('the read-only key %s is named', async (key) => {
  const metadata = JSON.stringify({ A: '1', [key]: 'x' });
  const told = { detail: expect.stringContaining(key) as unknown };
  expect(
    (await site.acme.post('/2.0/metadata/inbox/there.txt', { json: { A: '1', [key]: 'x' } })).json(),
  ).toMatchObject(told);
  const multipart = formOf('x', { name: 'new.txt', metadata });
  expect((await site.acme.post('/2.0/files/inbox', { multipart })).json()).toMatchObject(told);
});
