import { longestWaitMs, sendFourfold, watchEventLoop } from '@waybill/test-kit/processes/watch-event-loop';
import { describe, expect, it } from 'vitest';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme', 'globex'] });

const keys = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));

/** Some 960 KB. */
const many = JSON.stringify(keys(75_000));
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const fields = new URLSearchParams(keys(75_000)).toString();

const metadata = () => ({ multipart: formOf('x', { name: 'm.txt', metadata: many }) });

describe.each([
  ['PUT', '/2.0/account/password', () => ({ body: many, headers: json }), 413],
  ['POST', '/2.0/account/second-factor', () => ({ body: many, headers: json }), 413],
  ['POST', '/2.0/account/ssh-keys', () => ({ body: many, headers: json }), 413],
  ['POST', '/2.0/login/basic', () => ({ body: fields, headers: form }), 404],
  ['POST', '/2.0/move', () => ({ body: many, headers: json }), 413],
  ['POST', '/2.0/metadata/data/x.txt', () => ({ body: many, headers: json }), 413],
  ['POST', '/2.0/files/data', metadata, 400],
] as const)('%s %s with tens of thousands of keys', (method, path, options, status) => {
  it(`keeps no other user waiting, and is answered with ${status}`, async () => {
    const loop = watchEventLoop();
    const others = sendFourfold(async () => (await site.globex.request(method, path, options())).status);
    const wait = await longestWaitMs(() => site.acme.get('/2.0/permissions/inbox'), others);
    expect(await others).toEqual([status]);
    expect(loop.longestMs()).toBeLessThan(250);
    expect(wait).toBeLessThan(250);
  }, 60_000);
});

it('metadata of a form that has too many keys, or other values, is refused with what it may have', async () => {
  for (const text of [many, JSON.stringify({ a: Array(300).fill('') }), '['.repeat(300)]) {
    const answer = await site.globex.post('/2.0/files/data', { multipart: formOf('x', { metadata: text }) });
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ detail: 'metadata: must be a flat JSON object with at most 256 keys' }),
    ]);
  }
});
