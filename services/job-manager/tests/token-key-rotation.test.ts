import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tokenKeyStore } from '@waybill/access/signing-key';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { activateKey, addKey, removeKey } from '@waybill/signing-keys/rotate-keys';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

/** The node that has read changed files within a moment, and the one that has not read them again since its start. */
const [reloaded, notReloaded] = [{ KEY_RELOAD_SECONDS: '0.05' }, { KEY_RELOAD_SECONDS: '86400' }];
const atOnce = { leastAgeMs: 0 };

let platform: TestPlatform;

beforeEach(async () => {
  platform = await startTestPlatform();
});

afterEach(() => platform[Symbol.asyncDispose]());

const keys = () => tokenKeyStore(platform.env['ACCESS_SIGNING_KEY_FILE'] ?? '');
const start = (nodeName: string, env: Readonly<Record<string, string>>) =>
  startTestJobManager(platform, { NODE_NAME: nodeName, ...env });

async function logIn({ client }: TestJobManager): Promise<string> {
  const json = { username: 'viewer', password: 'viewer-demo' };
  return ((await client.post('/platform-application/api/v1/auth/login', { json })).json() as { accessToken: string })
    .accessToken;
}

const statusOf = async ({ client }: TestJobManager, bearer: string) =>
  (await client.get('/job-manager/jobs', { bearer })).status;
const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
const published = async ({ client }: TestJobManager) =>
  ((await client.get('/.well-known/jwks.json')).json() as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);

describe('a rotation of the token key with two nodes', () => {
  it('refuses no token on either node, at any of its steps, and refuses those of the key that is removed', async () => {
    await using first = await start('node1', reloaded);
    const { active: old } = await loadKeySet(keys());
    const oldToken = await logIn(first);
    expect(kidOf(oldToken)).toBe(old.kid);

    const added = await addKey(keys());
    await using second = await start('node2', notReloaded);
    await expect.poll(() => published(first)).toEqual([old.kid, added.kid]);
    expect(await published(second)).toEqual([old.kid, added.kid]);
    expect(kidOf(await logIn(first))).toBe(old.kid);

    await activateKey(keys(), atOnce);
    await expect.poll(() => published(first)).toEqual([added.kid, old.kid]);
    const newToken = await logIn(first);
    const lateToken = await logIn(second);
    expect([newToken, lateToken].map(kidOf)).toEqual([added.kid, old.kid]);
    for (const token of [oldToken, newToken, lateToken]) {
      expect([await statusOf(first, token), await statusOf(second, token)]).toEqual([200, 200]);
    }
    expect((await first.client.get('/metrics')).text).toContain(
      `waybill_token_verifications_total{kid="${old.kid}",service="job-manager"} 2`,
    );

    await removeKey(keys(), old.kid, { leastAgeMs: 0 });
    await expect.poll(() => published(first)).toEqual([added.kid]);
    expect([await statusOf(first, oldToken), await statusOf(first, newToken)]).toEqual([401, 200]);
  });

  it('goes well on a node that meets a token of a key which it has not read yet', async () => {
    await using second = await start('node2', notReloaded);
    await addKey(keys());
    await activateKey(keys(), atOnce);
    await using first = await start('node1', notReloaded);
    const token = await logIn(first);
    expect(await statusOf(second, token)).toBe(200);
    expect(await published(second)).toEqual(await published(first));
  });
});

it('a key of another type stops the start with a sentence that names the setting', async () => {
  await using first = await start('node1', notReloaded);
  const file = platform.env['ACCESS_SIGNING_KEY_FILE'] ?? '';
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(`${file}.next`, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  expect(await statusOf(first, await logIn(first))).toBe(200);
  await expect(start('node2', notReloaded)).rejects.toThrow(
    `ACCESS_SIGNING_KEY_FILE: ${file}.next holds a key of another type than EC on P-256`,
  );
});
