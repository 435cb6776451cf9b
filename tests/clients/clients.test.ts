import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capabilities } from './capabilities.ts';
import type { Capability } from './capability.ts';
import { type Fixture, makeFixture } from './fixture.ts';
import './page-entry.ts';
import { type PartnerServer, startPartnerServer } from './partner-server.ts';
import { runOutcome } from './run-client.ts';
import type { Lack, TransferClient } from './transfer-client.ts';
import { transferClients } from './transfer-clients.ts';
import { prepareTrial } from './trial.ts';

let server: PartnerServer;
let fixture: Fixture;

beforeAll(async () => {
  server = await startPartnerServer();
  fixture = await makeFixture(server);
});
afterAll(() => server[Symbol.asyncDispose]());

describe.concurrent.for(transferClients)('$name', (client) => {
  const obstacle = client.obstacle?.();
  const offered = capabilities.filter((capability) => lackOf(client, capability) === undefined);
  const notOffered = capabilities.flatMap((capability) => {
    const lack = lackOf(client, capability);
    return lack === undefined ? [] : [{ ...lack, title: capability.title, proof: lack.command.join(' ') }];
  });

  it.for(obstacle === undefined ? offered : [])('$title', async (capability, { task }) => {
    task.meta.waybillCell = { client: client.name, capability: capability.title };
    await expectToWork(client, capability);
  });

  it.for(obstacle === undefined ? [] : offered)('$title: not tried on this machine', ({ title }, { task }) => {
    task.meta.waybillCell = { client: client.name, capability: title, notTried: obstacle ?? '' };
    expect(client.obstacle?.()).toBe(obstacle);
  });

  it.for(notOffered)('$title: not offered by the client, as `$proof` shows', async (lack, { task }) => {
    task.meta.waybillCell = { client: client.name, capability: lack.title, notOffered: lack.reason };
    const { stdout, stderr } = await runOutcome(lack.command);
    expect(stdout + stderr).toMatch(lack.present);
    expect(stdout + stderr).not.toMatch(lack.absent);
  });
});

async function expectToWork(client: TransferClient, capability: Capability): Promise<void> {
  const row = capabilities.indexOf(capability);
  await capability.run(await prepareTrial(server, client, `${row}`), fixture);
}

function lackOf({ lacks }: TransferClient, { needs }: Capability): Lack | undefined {
  return needs.map((action) => lacks[action]).find((lack) => lack !== undefined);
}
