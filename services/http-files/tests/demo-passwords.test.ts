import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFilesRig, type FilesRig } from './files-rig.ts';

let rig: FilesRig;

beforeAll(async () => {
  rig = await createFilesRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** The status of a login as acme, whose password is the demo's, and the peer's log before and after it. */
async function logInAt(env: Readonly<Record<string, string>>) {
  // If it does not listen on loopback, health and metrics need a separate listener.
  await using peer = await rig.start('peer1', { OPERATIONS_PORT: '0', ...env });
  const atStart = peer.logLines.join('');
  const form = { username: 'acme', password: 'acme-demo' };
  const answer = await createHttpClient(peer.url).post('/2.0/login/basic', { form });
  return { status: answer.status, text: answer.text, atStart, after: peer.logLines.join('').slice(atStart.length) };
}

const sentence = (exposure: string) =>
  `acme has a password of the demo configuration, which is refused because other machines can reach this service (${exposure})`;

test.each([
  [{ HOST: '0.0.0.0' }, 'HOST=0.0.0.0'],
  [{ HOST: '::' }, 'HOST=::'],
  [{ PUBLISHED_ADDRESS: '192.0.2.7' }, 'PUBLISHED_ADDRESS=192.0.2.7'],
])('a demo password is refused with %j, like a wrong one, and the log gives the reason', async (env, exposure) => {
  const { status, text, atStart, after } = await logInAt(env);
  expect(status).toBe(401);
  expect(text).toContain('Invalid username or password');
  expect(atStart).toContain(sentence(exposure));
  expect(after).toContain(sentence(exposure));
});

test.each([{}, { HOST: 'localhost' }, { HOST: '0.0.0.0', PUBLISHED_ADDRESS: '127.0.0.1' }])(
  'it is valid with %j',
  async (env) => {
    const { status, atStart, after } = await logInAt(env);
    expect(status).toBe(200);
    expect(atStart + after).not.toContain('demo configuration');
  },
);

test('a wrong password is not taken for a demo password, for any user', async () => {
  await using peer = await rig.start('peer1', { PUBLISHED_ADDRESS: '192.0.2.7' });
  const before = peer.logLines.length;
  const form = { username: 'globex', password: 'acme-demo' };
  expect((await createHttpClient(peer.url).post('/2.0/login/basic', { form })).status).toBe(401);
  expect(peer.logLines.slice(before).join('')).not.toContain('demo configuration');
});
