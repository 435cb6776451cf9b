import { once } from 'node:events';
import { Client } from 'ssh2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGatewayRig, type GatewayRig } from './gateway-rig.ts';

let rig: GatewayRig;

beforeAll(async () => {
  rig = await createGatewayRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

async function isLetIn(env: Readonly<Record<string, string>>): Promise<boolean> {
  await using gateway = await rig.start('peer1', env);
  const client = new Client();
  const outcome = Promise.race([once(client, 'ready').then(() => true), once(client, 'error').then(() => false)]);
  client.connect({ host: '127.0.0.1', port: gateway.sftpPort, username: 'acme', password: 'acme-demo' });
  const letIn = await outcome.catch(() => false);
  client.on('error', () => {}).end();
  return letIn;
}

test('a demo password works if SFTP listens on loopback, whatever HTTP listens on', async () => {
  expect(await isLetIn({})).toBe(true);
  expect(await isLetIn({ HOST: '0.0.0.0', OPERATIONS_PORT: '0' })).toBe(true);
});

test('it does not if other machines can reach SFTP', async () => {
  expect(await isLetIn({ SFTP_HOST: '0.0.0.0' })).toBe(false);
  expect(await isLetIn({ PUBLISHED_ADDRESS: '192.0.2.7' })).toBe(false);
});
