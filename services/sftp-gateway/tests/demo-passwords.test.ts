import { once } from 'node:events';
import { Client } from 'ssh2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGatewayRig, type GatewayRig } from './gateway-rig.ts';

let rig: GatewayRig;

beforeAll(async () => {
  rig = await createGatewayRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

async function logIn(env: Readonly<Record<string, string>>): Promise<{ isLetIn: boolean; said: string[] }> {
  await using gateway = await rig.start('peer1', env);
  const atStart = gateway.logLines.length;
  const client = new Client();
  const outcome = Promise.race([once(client, 'ready').then(() => true), once(client, 'error').then(() => false)]);
  client.connect({ host: '127.0.0.1', port: gateway.sftpPort, username: 'acme', password: 'acme-demo' });
  const letIn = await outcome.catch(() => false);
  client.on('error', () => {}).end();
  const said = [gateway.logLines.slice(0, atStart).join(''), gateway.logLines.slice(atStart).join('')];
  return { isLetIn: letIn, said };
}

const explanation = 'has a password of the demo configuration, which is refused because other machines can reach';

test('a demo password works if SFTP listens on loopback, whatever HTTP listens on', async () => {
  for (const env of [{}, { HOST: '0.0.0.0', OPERATIONS_PORT: '0' }]) {
    const { isLetIn, said } = await logIn(env);
    expect([isLetIn, said.join('')]).toEqual([true, expect.not.stringContaining(explanation)]);
  }
});

test.each([
  [{ SFTP_HOST: '0.0.0.0' }, 'SFTP_HOST=0.0.0.0'],
  [{ SFTP_HOST: '::' }, 'SFTP_HOST=::'],
  [{ PUBLISHED_ADDRESS: '192.0.2.7' }, 'PUBLISHED_ADDRESS=192.0.2.7'],
])('it does not with %j, and the log names the setting at the start and at the login', async (env, exposure) => {
  const sentence = expect.stringContaining(`acme ${explanation} this service (${exposure}): give the user another one`);
  expect(await logIn(env)).toEqual({ isLetIn: false, said: [sentence, sentence] });
});
