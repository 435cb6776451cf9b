import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';

let rig: FilesRig;
let peer: RunningPeer;

beforeAll(async () => {
  rig = await createFilesRig();
  peer = await rig.start('peer1', { TRUSTED_PROXIES: '10.0.0.0/8', LOGIN_FAILURES_PER_USER: '2' });
});

afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const forwarded = (address: string) => ({
  'x-forwarded-for': address,
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'files.example.org',
});

test('what an address that is not trusted says of itself makes no addresses and no Secure cookies', async () => {
  const headers = forwarded('203.0.113.1');
  const login = { form: { username: 'globex', password: 'globex-demo' }, headers };
  const answer = await createHttpClient(peer.url).post('/2.0/login/basic', login);
  expect(answer.status).toBe(200);
  for (const cookie of answer.headers.getSetCookie()) expect(cookie).not.toContain('Secure');
  expect(answer.headers.get('strict-transport-security')).toBeNull();
  const client = await peer.logIn('globex');
  const listing = await client.get('/2.0/directories/', { headers });
  expect(listing.json()).toMatchObject({ uri: `${peer.url}/2.0/directories` });
  expect(listing.text).not.toContain('files.example.org');
});

test('nor does it get more guesses at a password by other addresses', async () => {
  const guess = async (address: string) => {
    const form = { username: 'acme', password: 'guess' };
    return (await createHttpClient(peer.url).post('/2.0/login/basic', { form, headers: forwarded(address) })).status;
  };
  const statuses = [];
  for (let turn = 1; turn <= 4; turn += 1) statuses.push(await guess(`203.0.113.${turn}`));
  expect(statuses).toEqual([401, 401, 429, 429]);
});
