import type { BuiltInRole } from '@waybill/contracts/roles/built-in-roles';
import { commonRefusals } from '@waybill/http-kit/routing/common-refusals';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordReads } from '../src/http/read-records.ts';
import { createRoutes } from '../src/routes.ts';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

const prefix = '/platform-application/api/v1/audit';

let rig: Awaited<ReturnType<typeof createAuditRig>>;
let audit: RunningAudit;

beforeAll(async () => {
  rig = await createAuditRig();
  await rig.record.append(someEvents(300));
  audit = await rig.start();
});
afterAll(async () => {
  await audit[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const get = (path: string, role: BuiltInRole) => audit.client.get(`${prefix}/${path}`, { bearer: rig.token(role) });

describe('the endpoints of the audit log', () => {
  // Refused requests do not reach them.
  const unreached = (): never => {
    throw new Error('A refused request was carried out');
  };
  const nothing = {
    records: { list: unreached, count: unreached, contextsOf: unreached, countOverTime: unreached },
    turns: unreached,
    namesOfActors: unreached,
    ownersOfNames: unreached,
    verifier: { verify: unreached, [Symbol.asyncDispose]: unreached },
    reader: {
      checkpoint: unreached,
      keys: unreached,
      tile: unreached,
      prove: unreached,
      proveConsistency: unreached,
      openExport: unreached,
      archive: unreached,
    },
    followers: { follow: unreached },
    redactor: { redact: unreached },
    holds: { list: unreached, place: unreached, release: unreached },
    recordReads: recordReads({ note: unreached }, { nodeId: 'node1', managerName: 'manager1' }),
  };
  const cases = commonRefusals({
    routes: createRoutes(nothing),
    baseUrl: () => `http://127.0.0.1:${audit.port}`,
    permitted: async () => ({ authorization: `Bearer ${rig.token('Administrators')}` }),
    withRole: async (role) => ({ authorization: `Bearer ${rig.token(role)}` }),
  });
  it.each(cases)('$title', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it.each(['logs?page=0', 'verification', 'checkpoint', 'keys', 'tile/0/000'])(
    '%s is for auditors and administrators',
    async (path) => {
      expect((await get(path, 'Auditors')).status).toBe(200);
      expect((await get(path, 'Administrators')).status).toBe(200);
    },
  );
});
