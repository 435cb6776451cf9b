import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';

let rig: FilesRig;
let peer: RunningPeer;
let behindProxy: RunningPeer;

beforeAll(async () => {
  rig = await createFilesRig();
  const limits = { LOGIN_FAILURES_PER_USER: '2', LOGIN_FAILURES_PER_ADDRESS: '4' };
  peer = await rig.start('peer1', { ...limits, TRUSTED_PROXIES: '10.0.0.0/8' });
  const proxied = { TRUSTED_PROXIES: '127.0.0.1/32,10.0.0.0/8', TRUSTED_PROXY_HEADERS: 'forwarded' };
  behindProxy = await rig.start('peer2', { ...limits, ...proxied });
});

afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await behindProxy[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const forwarded = (address: string) => ({
  'x-forwarded-for': address,
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'files.example.org',
});

test('forwarding headers of an untrusted address have no effect on addresses and Secure cookies', async () => {
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

test('nor do they allow more guesses at a password by other addresses', async () => {
  const guess = async (address: string) => {
    const form = { username: 'acme', password: 'guess' };
    return (await createHttpClient(peer.url).post('/2.0/login/basic', { form, headers: forwarded(address) })).status;
  };
  const statuses = [];
  for (let turn = 1; turn <= 4; turn += 1) statuses.push(await guess(`203.0.113.${turn}`));
  expect(statuses).toEqual([401, 401, 429, 429]);
});

const logIn = (username: string, headers: Record<string, string>, password = 'guess') =>
  createHttpClient(behindProxy.url).post('/2.0/login/basic', { form: { username, password }, headers });

test('headers of a trusted proxy determine addresses, Secure cookies and the counts of failures', async () => {
  const forwarded =
    'for=evil;host=evil;proto=http, for="[2001:db8:1:1::7]:4711";proto=https;host=files.example.org, for=10.0.0.9';
  const answer = await logIn('globex', { forwarded }, 'globex-demo');
  expect(answer.status).toBe(200);
  for (const cookie of answer.headers.getSetCookie()) expect(cookie).toContain('Secure');
  expect(answer.headers.get('strict-transport-security')).not.toBeNull();
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const listing = await createHttpClient(behindProxy.url).get('/2.0/directories/', { headers: { forwarded, cookie } });
  expect(listing.json()).toMatchObject({ uri: 'https://files.example.org/2.0/directories' });
});

test('all addresses of an IPv6 network share the number of guesses', async () => {
  const guess = async (host: string) => (await logIn('acme', { forwarded: `for="[2001:db8:2:2:${host}]"` })).status;
  expect([await guess('1::'), await guess('2::'), await guess('3:4:5:6')]).toEqual([401, 401, 429]);
  expect((await logIn('acme', { forwarded: 'for="[2001:db8:2:3::1]"' })).status).toBe(401);
});

test('an IPv4 address has one number of guesses in all its forms', async () => {
  const guess = async (address: string) => (await logIn('acme', { forwarded: `for="${address}"` })).status;
  expect(await guess('203.0.113.60:1')).toBe(401);
  expect(await guess('[::ffff:203.0.113.60]')).toBe(401);
  expect(await guess('[::FFFF:CB00:713C]:2')).toBe(429);
});

test('a name has one number of guesses in all its Unicode forms', async () => {
  const headers = { forwarded: 'for=203.0.113.61' };
  const names = ['m\u00fcller', 'mu\u0308ller', 'm\u00fcller'];
  const statuses = [];
  for (const name of names) statuses.push((await logIn(name, headers)).status);
  expect(statuses).toEqual([401, 401, 429]);
});

test('a client that sends addresses and headers itself gets no more guesses', async () => {
  const guess = async (forwarded: string, others: Record<string, string> = {}) =>
    (await logIn('acme', { forwarded, ...others })).status;
  expect(await guess('for=198.51.100.1, for=203.0.113.62')).toBe(401);
  expect(await guess('for="198.51.100.2, for=203.0.113.62', { 'x-forwarded-for': '198.51.100.3' })).toBe(401);
  expect(await guess(`${'for=10.0.0.1,'.repeat(1_500)}for=203.0.113.62`)).toBe(429);
});

test('nor can it lock out the proxy with unreadable headers', async () => {
  for (let count = 0; count < 6; count += 1) {
    await logIn(`name${count}`, { forwarded: `((((", for=203.0.113.${70 + count}` });
  }
  expect((await logIn('globex', {}, 'globex-demo')).status).toBe(200);
});

test.each([
  ['a name', { username: `a${'\u0345'.repeat(80_000)}${'\u0334'.repeat(80_000)}`, password: 'guess' }],
  ['a password', { username: 'acme', password: `a${'\u0345'.repeat(80_000)}${'\u0334'.repeat(80_000)}` }],
])('%s with very many combining marks is refused without being normalised', async (_what, form) => {
  const client = createHttpClient(behindProxy.url);
  const answer = client.post('/2.0/login/basic', { form, headers: { forwarded: 'for=203.0.113.63' } });
  // Normalising one of them takes half a minute, in which no other request is answered.
  expect((await answer).status).toBe(401);
  expect((await client.get('/health/live')).status).toBe(200);
});

test('networks of a user are compared with the address that a trusted proxy reports, at the login and at each request', async () => {
  const networks = JSON.stringify({ networks: ['192.0.2.0/24', '2001:db8:7::/48'] });
  const define = (definition: string) =>
    rig.database.query(`UPDATE directory.partner_users SET definition = ${definition} WHERE name = 'hooli'`);
  await define(`definition || '${networks}'`);
  try {
    const from = (address: string) => ({ forwarded: `for=${address}` });
    const statuses = ['192.0.2.7', '"[2001:db8:7::1]"', '"[::ffff:192.0.2.8]"', '192.0.3.7', '"[2001:db8:8::1]"'].map(
      async (address) => (await logIn('hooli', from(address), 'hooli-demo')).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 401, 401]);
    // The proxy itself is in none of them, and what an untrusted peer forwards does not count.
    expect((await logIn('hooli', {}, 'hooli-demo')).status).toBe(401);
    const untrusted = { form: { username: 'hooli', password: 'hooli-demo' }, headers: from('192.0.2.7') };
    expect((await createHttpClient(peer.url).post('/2.0/login/basic', untrusted)).status).toBe(401);

    const client = createHttpClient(behindProxy.url);
    const form = { username: 'hooli', password: 'hooli-demo' };
    await client.post('/2.0/login/basic', { form, headers: from('192.0.2.7') });
    const list = async (address: string) => (await client.get('/2.0/directories/', { headers: from(address) })).status;
    expect([await list('192.0.2.9'), await list('203.0.113.5'), await list('192.0.2.9')]).toEqual([200, 401, 401]);
  } finally {
    await define(`definition - 'networks'`);
  }
});
