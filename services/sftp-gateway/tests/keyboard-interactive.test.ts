import { expect, it } from 'vitest';
import { requestUserauth, userauthRequest } from './channel-client.ts';
import { gatewayWithClient } from './gateway-with-client.ts';
import { HandshakeClient, message, string } from './handshake-client.ts';

const infoRequest = 60;
const infoResponse = 61;
const right = 'globex-demo';

const peer = gatewayWithClient();

/**
 * Logs in by keyboard-interactive (RFC 4256) with these responses to the one prompt; returns the type of the server's
 * packet.
 */
async function respond(responses: readonly string[]): Promise<number> {
  await using client = await HandshakeClient.open(peer.gateway.sftpPort);
  await client.exchangeKeys();
  await requestUserauth(client);
  client.send(userauthRequest('globex', 'keyboard-interactive', string(''), string('')));
  await client.receive(infoRequest);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(responses.length);
  client.send(Buffer.concat([Buffer.of(infoResponse), count, ...responses.map((response) => string(response))]));
  return (await client.receiveAny('the answer to the login')).readUInt8(0);
}

it('the right password as the only response logs in', async () => {
  expect(await respond([right])).toBe(message.userauthSuccess);
});

it.each([
  ['none', []],
  ['the right password twice', [right, right]],
  ['the right password and an empty one', [right, '']],
  ['a hundred', Array.from({ length: 100 }, () => right)],
])('any number of responses but one is a failed login: %s', async (_what, responses) => {
  expect(await respond(responses)).toBe(message.userauthFailure);
});
