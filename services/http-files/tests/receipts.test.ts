import { createHash, createPublicKey, generateKeyPairSync, webcrypto } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { activateKey, addKey, removeKey } from '@waybill/signing-keys/rotate-keys';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { describe, expect, test } from 'vitest';
import { receiptKeyStore } from '../src/adapters/es256-receipt-signer.ts';
import { failureOf } from './endpoint-requests.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme'] });

interface Receipt {
  fileset: string;
  storedAt: string;
  jws: string;
}

const put = (body: string) =>
  site.acme.put('/2.0/files/inbox/receipt.txt', { body, headers: { 'content-type': 'text/plain' } });

const decode = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** Verifies as an outsider would: with the standards and the published keys only. */
async function verify(url: string, jws: string): Promise<boolean> {
  const { keys } = (await (await fetch(`${url}/2.0/.well-known/jwks.json`)).json()) as {
    keys: (webcrypto.JsonWebKey & { kid: string })[];
  };
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const jwk = keys.find(({ kid }) => kid === decode(header)['kid']);
  if (jwk === undefined) return false;
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const key = await webcrypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  const [signed, bytes] = [Buffer.from(`${header}.${payload}`), Buffer.from(signature, 'base64url')];
  return webcrypto.subtle.verify(algorithm, key, bytes, signed);
}

describe('GET /receipts/<fileset>', () => {
  test('returns what was stored, as the headers of the upload did', async () => {
    const stored = await put('hello');
    const { fileset } = stored.json() as { fileset: string };
    const answer = await site.acme.get(`/2.0/receipts/${fileset}`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      fileset,
      userName: 'acme',
      path: '/inbox/receipt.txt',
      size: 5,
      sha256: createHash('sha256').update('hello').digest('hex'),
      storedAt: stored.headers.get('x-stored-at'),
      dfiid: stored.headers.get('x-dataflow-id'),
      jws: expect.any(String) as string,
    });
    const headers = ['x-fileset', 'x-file-size', 'x-file-sha256'].map((name) => stored.headers.get(name));
    expect(headers).toEqual([fileset, '5', createHash('sha256').update('hello').digest('hex')]);
  });

  test('is signed, so that anyone can verify it with the published keys', async () => {
    const { fileset } = (await put('signed')).json() as { fileset: string };
    const { jws, ...receipt } = (await site.acme.get(`/2.0/receipts/${fileset}`)).json() as Receipt;
    const [header = '', payload = '', signature = ''] = jws.split('.');
    expect(decode(header)).toMatchObject({ alg: 'ES256' });
    expect(decode(payload)).toEqual({ ...receipt, iss: 'manager1' });
    expect(await verify(site.peer.url, jws)).toBe(true);
    const forged = Buffer.from(JSON.stringify({ ...decode(payload), size: 7 })).toString('base64url');
    expect(await verify(site.peer.url, `${header}.${forged}.${signature}`)).toBe(false);
  });

  test('is still available after the file was replaced and deleted', async () => {
    const { fileset } = (await put('first')).json() as { fileset: string };
    await put('second');
    await site.acme.delete('/2.0/files/inbox/receipt.txt');
    expect((await site.acme.get(`/2.0/receipts/${fileset}`)).json()).toMatchObject({ fileset, size: 5 });
  });

  test('is not found for uploads of others, missing uploads, and impossible numbers', async () => {
    const { fileset } = (await put('mine')).json() as { fileset: string };
    const globex = await site.peer.logIn('globex');
    const unknown = [404, 'io', 'There is no such receipt'];
    expect(failureOf(await globex.get(`/2.0/receipts/${fileset}`))).toEqual(unknown);
    expect(failureOf(await site.acme.get('/2.0/receipts/9223372036854775807'))).toEqual(unknown);
    expect(failureOf(await site.acme.get('/2.0/receipts/9999999999999999999'))).toEqual(unknown);
    expect((await site.acme.get('/2.0/receipts/one')).status).toBe(400);
  });
});

const jwsOf = async (client: HttpClient, fileset: string) =>
  ((await client.get(`/2.0/receipts/${fileset}`)).json() as Receipt).jws;
const kidOf = (jws: string) => decode(jws.split('.')[0] ?? '')['kid'];

test('a rotation of the key invalidates no receipt on either peer, and removes the old key on request', async () => {
  const keys = receiptKeyStore(join(site.rig.folder, 'keys', 'rotated.pem'));
  const env = { RECEIPT_SIGNING_KEY_FILE: keys.file };
  await using first = await site.rig.start('rotating1', { ...env, KEY_RELOAD_SECONDS: '0.05' });
  const client = await first.logIn('acme');
  const { fileset } = (await put('signed thrice')).json() as { fileset: string };
  const before = await jwsOf(client, fileset);

  const next = await addKey(keys);
  // A peer that reads the files once, at its start.
  await using second = await site.rig.start('rotating2', { ...env, KEY_RELOAD_SECONDS: '86400' });
  await activateKey(keys, { leastAgeMs: 0 });
  await expect.poll(async () => kidOf(await jwsOf(client, fileset))).toBe(next.kid);
  const [after, late] = [await jwsOf(client, fileset), await jwsOf(await second.logIn('acme'), fileset)];
  expect(kidOf(late)).toBe(kidOf(before));
  for (const jws of [before, after, late]) {
    expect([await verify(first.url, jws), await verify(second.url, jws)]).toEqual([true, true]);
  }

  await removeKey(keys, String(kidOf(before)), { leastAgeMs: 0 });
  await expect.poll(() => verify(first.url, before)).toBe(false);
  expect(await verify(first.url, after)).toBe(true);
});

test('for a retired key the public half is sufficient', async () => {
  const { fileset } = (await put('old key')).json() as { fileset: string };
  const jws = await jwsOf(site.acme, fileset);
  const file = join(site.rig.folder, 'keys', 'other.pem');
  const retired = createPublicKey(await readFile(join(site.rig.folder, 'keys', 'receipts.pem'), 'utf8'));
  await loadKeySet(receiptKeyStore(file));
  await writeFile(`${file}.previous-2025`, retired.export({ format: 'pem', type: 'spki' }));
  await using changed = await site.rig.start('peer2', { RECEIPT_SIGNING_KEY_FILE: file });
  expect(await verify(changed.url, jws)).toBe(true);
});

test('a retired key of another kind stops the service at its start', async () => {
  const file = join(site.rig.folder, 'keys', 'wrong.pem');
  await loadKeySet(receiptKeyStore(file));
  const { publicKey } = generateKeyPairSync('ed25519');
  await writeFile(`${file}.previous`, publicKey.export({ format: 'pem', type: 'spki' }));
  await expect(site.rig.start('peer3', { RECEIPT_SIGNING_KEY_FILE: file })).rejects.toMatchObject({
    code: 'configuration_invalid',
    message: `RECEIPT_SIGNING_KEY_FILE: ${file}.previous holds a key of another type than EC on P-256`,
  });
});

test('receipts are deleted at the end of their retention, except those that the response of a repeated upload needs', async () => {
  const keyed = { 'content-type': 'text/plain', 'idempotency-key': 'kept' };
  const filesetOf = (answer: { json(): unknown }) => (answer.json() as { fileset: string }).fileset;
  const [old, young] = [filesetOf(await put('old')), filesetOf(await put('young'))];
  const replayed = filesetOf(await site.acme.put('/2.0/files/inbox/keyed.txt', { body: 'x', headers: keyed }));
  await site.rig.database.query(
    "update http_files.receipts set stored_at = stored_at - interval '2 days' where fileset = any ($1::bigint[])",
    [[old, replayed]],
  );
  await using keeper = await site.rig.start('keeper', { RECEIPT_DAYS: '1' });
  const statusOf = async (fileset: string) => (await site.acme.get(`/2.0/receipts/${fileset}`)).status;
  await expect.poll(() => statusOf(old)).toBe(404);
  expect([await statusOf(young), await statusOf(replayed)]).toEqual([200, 200]);
  expect(keeper.logLines.join('')).toContain('"msg":"receipts forgotten"');
});
