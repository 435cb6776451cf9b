import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChannelClient, type ChannelPacket } from './channel-client.ts';
import { createGatewayRig, type GatewayRig } from './gateway-rig.ts';
import { message } from './handshake-client.ts';
import { startGatewayProcess, type GatewayProcess } from './start-gateway-process.ts';

/** A separate process: if it hangs, the test must not. */
let gateway: GatewayProcess;
let rig: GatewayRig;

beforeAll(async () => {
  rig = await createGatewayRig();
  gateway = await startGatewayProcess({ ...rig.environmentOf('peer1'), SFTP_PROCESSES: '1' });
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

const greatestWindow = 2 ** 32 - 1;
const requests = [
  { kind: 'exec', name: 'id' },
  { kind: 'shell', name: undefined },
  { kind: 'subsystem', name: 'sftp' },
  { kind: 'subsystem', name: 'other' },
];
const init = Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]);

/** Opens a channel of usual size, runs a command in it, and checks the response: the gateway still serves. */
async function expectService(client: ChannelClient, id: number): Promise<void> {
  const answer = await client.open({ id });
  if (!('remoteId' in answer)) throw new Error(answer.description);
  client.sendRequest(answer.remoteId, 'exec', 'id');
  const packets = await client.receiveUntilClosed(id);
  client.sendClose(answer.remoteId);
  expect(textOf(packets)).toContain('This server offers SFTP only');
}

const textOf = (packets: readonly ChannelPacket[]) =>
  packets
    .filter(({ type }) => type === message.channelExtendedData)
    .map(({ payload }) => payload.toString('utf8', 13))
    .join('');

describe.each([0, 1, 255, 1023])('a channel whose packets may hold %i bytes', (packetBytes) => {
  const ways = requests.flatMap((request) => [0, greatestWindow].map((window) => ({ ...request, window })));

  it.each(ways)('is refused for any request: $kind $name, window $window', async ({ kind, name, window }) => {
    await using client = await ChannelClient.logIn(gateway.sftpPort);
    client.sendOpen({ id: 7, packetBytes, window });
    // A client that does not wait: its request on the refused channel is ignored.
    client.sendRequest(0, kind, name);
    client.sendWindow(0, 1024);
    client.sendData(0, init);
    const { type, id, payload } = await client.receive();
    expect([type, id]).toEqual([message.channelOpenFailure, 7]);
    expect(payload.toString('utf8', 13)).toContain(`Packets of ${packetBytes} bytes are too small: 1024 at least`);
    await expectService(client, 8);
  });

  it.each(['direct-tcpip', 'x11', 'auth-agent@openssh.com', 'nonsense'])('is refused: %s', async (type) => {
    await using client = await ChannelClient.logIn(gateway.sftpPort);
    client.sendOpen({ id: 7, packetBytes, type, extra: type === 'direct-tcpip' ? 4 : 2 });
    expect(await client.receive()).toMatchObject({ type: message.channelOpenFailure, id: 7 });
    await expectService(client, 8);
  });
});

describe.each([1024, 2 ** 32 - 1])('a channel whose packets may hold %i bytes', (packetBytes) => {
  it.each(requests)('with no window is answered without data: $kind $name', async ({ kind, name }) => {
    await using client = await ChannelClient.logIn(gateway.sftpPort);
    const answer = await client.open({ id: 7, packetBytes, window: 0 });
    if (!('remoteId' in answer)) throw new Error(answer.description);
    client.sendRequest(answer.remoteId, kind, name);
    if (kind === 'subsystem') {
      const isSftp = name === 'sftp';
      expect((await client.receive()).type).toBe(isSftp ? message.channelSuccess : message.channelFailure);
      client.sendData(answer.remoteId, init);
      await expectService(client, 8);
      client.sendWindow(answer.remoteId, 2 ** 20);
      if (isSftp) expect((await client.receive()).type).toBe(message.channelData);
      client.sendClose(answer.remoteId);
    }
    const packets = await client.receiveUntilClosed(7);
    expect(textOf(packets)).toBe('');
    // Too late to receive the message.
    client.sendWindow(answer.remoteId, 2 ** 20);
    await expectService(client, 9);
  });

  it.each(requests)('with the greatest window is served: $kind $name', async ({ kind, name }) => {
    await using client = await ChannelClient.logIn(gateway.sftpPort);
    const answer = await client.open({ id: 7, packetBytes, window: greatestWindow });
    if (!('remoteId' in answer)) throw new Error(answer.description);
    // More than the limit of a window in RFC 4254, section 5.2.
    client.sendWindow(answer.remoteId, greatestWindow);
    client.sendRequest(answer.remoteId, kind, name);
    if (kind === 'subsystem') {
      const isSftp = name === 'sftp';
      expect((await client.receive()).type).toBe(isSftp ? message.channelSuccess : message.channelFailure);
      client.sendData(answer.remoteId, init);
      if (isSftp) expect((await client.receive()).type).toBe(message.channelData);
      client.sendClose(answer.remoteId);
      await client.receiveUntilClosed(7);
    } else {
      const packets = await client.receiveUntilClosed(7);
      expect(textOf(packets)).toContain('This server offers SFTP only');
      expect(packets.every(({ payload }) => payload.length <= packetBytes + 13)).toBe(true);
    }
    await expectService(client, 8);
  });
});
