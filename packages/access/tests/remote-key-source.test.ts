import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteKeySource } from '@waybill/access/remote-key-source';
import { createSigningKey } from '@waybill/access/signing-key';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const newKey = () => createSigningKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

let server: Server;
let url: string;
let published: unknown;
let fetches: number;

beforeEach(async () => {
  fetches = 0;
  server = createServer((_req, res) => {
    fetches += 1;
    if (published === 'never') return;
    res.setHeader('content-type', 'application/json').end(JSON.stringify(published));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
});

afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const logger = { warn: vi.fn() };

describe('a remote key source', () => {
  it('fetches once for many, and passes over keys that are not for ES256', async () => {
    const key = newKey();
    published = { keys: [{ kty: 'RSA', kid: key.kid, n: 'AQAB', e: 'AQAB' }, { kty: 'oct', k: 'c2VjcmV0' }, key.jwk] };
    const source = createRemoteKeySource({ urls: [url], logger });
    const found = await Promise.all(Array.from({ length: 50 }, () => source.find(key.kid)));
    expect(found.every((one) => one?.equals(key.publicKey))).toBe(true);
    expect(fetches).toBe(1);
  });

  it('sees a new key at once, but does not fetch for each invented key id', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const [before, after] = [newKey(), newKey()];
    published = { keys: [before.jwk] };
    const source = createRemoteKeySource({ urls: [url], logger, minRefetchMs: 100 });
    await source.find(before.kid);
    published = { keys: [before.jwk, after.jwk] };
    vi.advanceTimersByTime(101);
    expect(await source.find(after.kid)).toBeDefined();
    for (let attempt = 0; attempt < 20; attempt += 1) expect(await source.find(`made-up-${attempt}`)).toBeUndefined();
    expect(fetches).toBe(2);
  });

  it('forgets a key that is published no more', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const key = newKey();
    published = { keys: [key.jwk] };
    const source = createRemoteKeySource({ urls: [url], logger, maxAgeMs: 20 });
    await source.find(key.kid);
    published = { keys: [] };
    vi.advanceTimersByTime(21);
    expect(await source.find(key.kid)).toBeUndefined();
  });

  it('continues with its keys while the issuer is down, silent or sends invalid data', async () => {
    const key = newKey();
    published = { keys: [key.jwk] };
    const source = createRemoteKeySource({ urls: [url], logger, maxAgeMs: 0, timeoutMs: 2_000 });
    await source.find(key.kid);
    for (const nonsense of ['never', { error: 'down' }, '<html>']) {
      published = nonsense;
      expect(await source.find(key.kid)).toBeDefined();
    }
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await source.find(key.kid)).toBeDefined();
  });

  it('reports an outage if it has never reached an issuer', async () => {
    published = 'never';
    const source = createRemoteKeySource({ urls: [url], logger, timeoutMs: 50 });
    await expect(source.find('any')).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('fetches keys from every issuer, even if one of them is down', async () => {
    const key = newKey();
    published = { keys: [key.jwk] };
    const source = createRemoteKeySource({ urls: ['http://127.0.0.1:1/jwks.json', url], logger });
    expect(await source.find(key.kid)).toBeDefined();
  });
});
