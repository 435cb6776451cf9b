import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generatePgpKey } from '@waybill/pgp/generate-pgp-key';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectingEnv, storeSecret } from './connection-rig.ts';
import type { ShownJob } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager(connectingEnv);

/** The partner that both actors have as a client connection: what it is sent. */
const sent: string[] = [];
const partner = createServer((request, response) => {
  sent.push(String(request.headers['signature'] ?? request.headers['webhook-signature'] ?? 'unsigned'));
  response.end();
});

const workflows = {
  call: [{ name: 'call', uses: 'http-request', with: { connection: 'hooli-api', method: 'POST', body: 'text' } }],
  sign: [
    { name: 'write', uses: 'write-file', with: { path: '/a.txt', text: 'a' } },
    { name: 'sign', uses: 'pgp-sign', with: { source: '/a.txt', target: '/a.sig', key: 'hooli-key' } },
  ],
  'write-to-globex': [{ name: 'write', uses: 'write-file', with: { path: 'globex-files:/a.txt', text: 'a' } }],
};
const grants = [{ vfs: 'globex-files', path: '/', rights: ['upload'] }];

let apply: (status: 'Enabled' | 'Disabled', present: boolean) => Promise<unknown>;
let storeSecrets: () => Promise<void>;

async function submit(actionName: string, extIPID?: string): Promise<{ status: number; id: number }> {
  const response = await site.manager.submit({ contractName: 'hooli-jobs', actionName, extIPID });
  return { status: response.status, id: (response.json() as ShownJob).id };
}

const resubmit = (id: number, revision: string) =>
  site.manager.client.post(`/job-manager/jobs/${id}/resubmit`, { query: { revision }, bearer: site.manager.admin });

const replaced = 'its actor hooli was deleted, and another actor has this name now';
const former = { call: 0, sign: 0, unnumbered: 0, grant: 0, order: 0 };

const secretsOfHooli = () =>
  site.platform.database.query(`SELECT name FROM secrets.secrets WHERE owner = 'hooli' ORDER BY name`);

// Jobs wait while their actor is deleted, and another one gets its name, its connection, its key and its secrets.
beforeAll(async () => {
  await once(partner.listen(0, '127.0.0.1'), 'listening');
  const { port } = partner.address() as AddressInfo;
  const key = await generatePgpKey({ kind: 'ecc', user: { name: 'Hooli', email: 'own@hooli.test' }, days: 100 });
  const connection = {
    name: 'hooli-api',
    type: 'http',
    url: `http://127.0.0.1:${port}`,
    signingKey: 'secret://hooli-hmac',
  };
  const actions = Object.keys(workflows).map((name) => ({
    name,
    workflow: name,
    trigger: { type: 'OnDemand' },
    vfs: 'hooli-files',
    grants,
  }));
  const hooli = {
    name: 'hooli',
    type: 'Partner',
    virtualFileSystems: [{ name: 'hooli-files' }],
    clientConnections: [connection],
    pgpKeys: [{ name: 'hooli-key', publicKey: key.publicKey, privateKey: 'secret://hooli-pgp' }],
    contracts: [{ name: 'hooli-jobs', type: 'Mediation', queue: 'Held', actions }],
  };
  apply = (status, present) =>
    site.platform.apply({
      ...testConfiguration,
      queues: [...(testConfiguration.queues ?? []), { name: 'Held', status }],
      workflowTemplates: [
        ...testConfiguration.workflowTemplates,
        ...Object.entries(present ? workflows : {}).map(([name, steps]) => ({ name, steps })),
      ],
      actors: [
        ...testConfiguration.actors,
        { name: 'globex', type: 'Partner', virtualFileSystems: [{ name: 'globex-files' }] },
        ...(present ? [hooli] : []),
      ],
    });
  storeSecrets = async () => {
    await storeSecret(site.platform, {
      name: 'hooli-hmac',
      value: 'a key of 32 characters, or more..',
      owner: 'hooli',
    });
    await storeSecret(site.platform, { name: 'hooli-pgp', value: key.privateKey, owner: 'hooli' });
  };
  await apply('Disabled', true);
  await storeSecrets();
  former.call = (await submit('call')).id;
  former.sign = (await submit('sign')).id;
  former.unnumbered = (await submit('call')).id;
  former.grant = (await submit('write-to-globex')).id;
  former.order = (await submit('call', 'order-1')).id;
  // As a release before this one has left it.
  await site.platform.database.query(`UPDATE jobs.jobs SET actor_id = NULL WHERE id = ${former.unnumbered}`);
  await apply('Disabled', false);
});
afterAll(() => void partner.close());

it('the secrets of an actor are deleted with it, audited, so that another one does not find them under its name', async () => {
  expect(await secretsOfHooli()).toEqual([]);
  const records = await site.platform.database.query(
    `SELECT payload ->> 'entityName' AS name FROM outbox.events
      WHERE payload ->> 'entityType' = 'Secret' AND payload ->> 'auditCode' = 'AUD0005A' ORDER BY 1`,
  );
  expect(records.map(({ name }) => name)).toEqual(['hooli/hooli-hmac', 'hooli/hooli-pgp']);
  await apply('Disabled', true);
  expect(await secretsOfHooli()).toEqual([]);
});

describe('a job of an actor that was deleted, whose name another one has', () => {
  beforeAll(async () => {
    await storeSecrets();
    await apply('Enabled', true);
  });

  it('does not use the client connection of the other one', async () => {
    const { statusMessage } = await site.manager.reaches(former.call, 'ERROR');
    expect(statusMessage).toContain(`The client connection hooli-api is not for this job: ${replaced}`);
  });

  it('does not use the PGP key of the other one', async () => {
    const { statusMessage } = await site.manager.reaches(former.sign, 'ERROR');
    expect(statusMessage).toContain(`is not for this job: ${replaced}`);
  });

  it('uses neither when it was submitted before an upgrade, and has no number of its actor', async () => {
    const { statusMessage } = await site.manager.reaches(former.unnumbered, 'ERROR');
    expect(statusMessage).toContain(replaced);
  });

  it('gains nothing by being submitted once more, in its revision or in the one of the other contract', async () => {
    for (const id of [former.call, former.unnumbered, former.grant]) {
      await site.manager.reaches(id, 'ERROR');
      expect(
        (await site.manager.client.post(`/job-manager/jobs/${id}/abort`, { bearer: site.manager.admin })).status,
      ).toBe(200);
      const latest = await resubmit(id, 'latest');
      expect([latest.status, latest.json()]).toEqual([400, expect.objectContaining({ code: 'contract_unknown' })]);
      const { id: again } = (await resubmit(id, 'same')).json() as ShownJob;
      const { statusMessage } = await site.manager.reaches(again, 'ERROR');
      expect(statusMessage).toContain(id === former.grant ? 'does not grant' : replaced);
    }
  });

  it('is not the job that another submission with its identifier, to the contract of the other one, gets', async () => {
    const first = await submit('call', 'order-1');
    expect(first).toEqual({ status: 201, id: expect.any(Number) });
    expect(first.id).not.toBe(former.order);
    expect(await submit('call', 'order-1')).toEqual({ status: 409, id: first.id });
    await site.manager.reaches(first.id, 'COMPLETED');
  });

  it('has sent nothing: only jobs of the other one use what is theirs', async () => {
    await site.manager.reaches(former.order, 'ERROR');
    expect(sent).toHaveLength(1);
    await site.manager.reaches((await submit('call')).id, 'COMPLETED');
    await site.manager.reaches((await submit('sign')).id, 'COMPLETED');
    expect(sent).toHaveLength(2);
  });
});

it('a contract that another actor has got is not that of a job, whose submitter may be limited to the first one', async () => {
  const { id } = await submit('call');
  await site.manager.reaches(id, 'COMPLETED');
  await site.platform.database.query(
    `UPDATE directory.contracts SET actor_id = (SELECT id FROM directory.actors WHERE name = 'globex') WHERE name = 'hooli-jobs'`,
  );
  await expect.poll(async () => (await resubmit(id, 'latest')).status).toBe(400);
});
