import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { describe, expect, test } from 'vitest';
import { twoPeers } from './test-peers.ts';

const site = twoPeers({ env: { LOGIN_FAILURES_PER_USER: '3', LOGIN_FAILURES_PER_ADDRESS: '1000' } });

const logIn = (url: string, username: string, password: string, headers: Record<string, string> = {}) =>
  createHttpClient(url).post('/2.0/login/basic', { form: { username, password }, headers });

describe('a client that guesses passwords', () => {
  test('has to wait after some failures, on every peer; others do not', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (const url of [site.peer.url, site.other.url, site.peer.url]) {
      expect((await logIn(url, 'acme', 'guess', from('198.51.100.1'))).status).toBe(401);
    }
    const refused = await logIn(site.other.url, 'acme', 'acme-demo', from('198.51.100.1'));
    expect([refused.status, refused.json()]).toEqual([
      429,
      expect.objectContaining({ result: 'failed', errorType: 'authentication' }),
    ]);
    const seconds = refused.headers.get('retry-after');
    expect(Number(seconds)).toBeGreaterThan(200);
    expect(refused.json()).toMatchObject({ detail: `Too many failed logins: try again in ${seconds} seconds` });
    expect((await logIn(site.peer.url, 'acme', 'acme-demo', from('198.51.100.2'))).status).toBe(200);
    expect((await logIn(site.peer.url, 'globex', 'globex-demo', from('198.51.100.1'))).status).toBe(200);
  });

  test('has to wait equally for an unknown user', async () => {
    for (const [username, address] of [
      ['acme', '198.51.100.3'],
      ['nobody-at-all', '198.51.100.4'],
    ] as const) {
      const answers = [];
      for (const url of [site.peer.url, site.other.url, site.peer.url, site.other.url]) {
        const { status, json } = await logIn(url, username, 'guess', { 'x-forwarded-for': address });
        answers.push([status, (json() as { message: string }).message]);
      }
      const [refused, throttled] = [
        [401, 'Invalid username or password'],
        [429, 'Too many requests'],
      ];
      expect(answers).toEqual([refused, refused, refused, throttled]);
    }
  });

  test('gains nothing by guessing all at once', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const guesses = Array.from({ length: 8 }, (_, index) =>
      logIn(index % 2 ? site.peer.url : site.other.url, 'acme', 'guess', headers),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).toSorted((one, two) => one - two);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429, 429, 429]);
  });

  test('is audited once when the wait begins, whichever peers were asked', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.11' };
    const guesses = Array.from({ length: 8 }, (_, index) =>
      logIn(index % 2 ? site.peer.url : site.other.url, 'ac\u0001me', 'guess', headers),
    );
    await Promise.all(guesses);
    const bans = (await site.rig.audited()).filter(({ auditMessage }) => auditMessage.includes('198.51.100.11'));
    expect(bans).toEqual([
      expect.objectContaining({
        auditCode: 'AUD0035A',
        auditOperation: 'SERVER_LOGIN',
        dataoneUser: 'ac\uFFFDme',
        entityType: 'HTTP Server',
        auditMessage: expect.stringMatching(
          /^Logins of user ac\uFFFDme from 198\.51\.100\.11 are refused for (2\d\d|300) s$/u,
        ),
      }),
    ]);
    const metrics = await Promise.all([site.peer, site.other].map(({ url }) => createHttpClient(url).get('/metrics')));
    expect(metrics.map(({ text }) => text).join('')).toMatch(/waybill_http_bans_total\{subject="user",.*\} [1-9]/u);
  });

  test('is distinguished from one that knows the password and logs in many times at once', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.8' };
    const logins = Array.from({ length: 12 }, (_, index) =>
      logIn(index % 2 ? site.peer.url : site.other.url, 'acme', 'acme-demo', headers),
    );
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  });

  test('a successful login resets the failures before it', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.9' };
    for (const password of ['guess', 'guess', 'acme-demo', 'guess', 'guess', 'acme-demo']) {
      expect((await logIn(site.peer.url, 'acme', password, headers)).status).toBe(password === 'guess' ? 401 : 200);
    }
  });
});
