import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChannelClient } from './channel-client.ts';
import { createGatewayRig, type GatewayRig } from './gateway-rig.ts';
import { isAlive, startGatewayProcess } from './start-gateway-process.ts';

let rig: GatewayRig;
beforeAll(async () => {
  rig = await createGatewayRig();
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
});

/** Makes a process of the gateway hang when it receives SIGUSR2. */
const loops = `--import=data:text/javascript,${encodeURIComponent('process.on("SIGUSR2", () => { for (;;); });')}`;
const start = (peerName: string) =>
  startGatewayProcess({
    ...rig.environmentOf(peerName),
    SFTP_PROCESSES: '2',
    WATCHDOG_SECONDS: '3',
    NODE_OPTIONS: loops,
  });

it('a process that hangs ends itself, and the first one replaces it', async () => {
  await using gateway = await start('peer1');
  const stalled = (await gateway.processes()).get(2) ?? 0;
  process.kill(stalled, 'SIGUSR2');
  await waitFor(() => gateway.log.some(({ msg }) => String(msg).startsWith('a process has ended')), {
    what: 'the end of the process',
    timeoutMs: 30_000,
  });
  expect(gateway.log).toContainEqual(
    expect.objectContaining({ level: 'fatal', process: 2, msg: expect.stringContaining('was blocked for 3 s') }),
  );
  expect(gateway.log).toContainEqual(expect.objectContaining({ processNumber: 2, reason: 'exit code 70' }));
  const replaced = async () => {
    const pid = (await gateway.processes()).get(2);
    return pid !== undefined && pid !== stalled;
  };
  await waitFor(replaced, { what: 'another process' });
  const isServing = async () => {
    const response = await fetch(`${gateway.httpUrl}/health/ready`);
    return response.status === 200;
  };
  await waitFor(isServing, { what: 'readiness' });
  // One for each of the two processes.
  for (let turn = 0; turn < 2; turn += 1) {
    await using client = await ChannelClient.logIn(gateway.sftpPort);
    expect(await client.open({ id: 1 })).toEqual({ remoteId: 0 });
  }
});

it('a first process that hangs ends with code 70 and takes the others with it', async () => {
  await using gateway = await start('peer2');
  const others = [...(await gateway.processes()).values()];
  expect(others).toHaveLength(2);
  gateway.child.kill('SIGUSR2');
  await gateway.exited;
  expect(gateway.child.exitCode).toBe(70);
  await waitFor(() => !others.some(isAlive), { what: 'the others to end' });
});
