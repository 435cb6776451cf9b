import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createAuditRig } from './audit-rig.ts';

it('a file that is found by a former name has the path to which it was renamed, and no other record has one', async () => {
  await using rig = await createAuditRig();
  const former = '/inbox/b.csv.part';
  const names = { path: former, fileset: '7', newPath: '/inbox/b <i>.csv', newFileset: '7' };
  const circumstances = { nodeId: 'peer1', managerName: 'manager1', entityType: 'File', entityName: former };
  const user = { user: 'ann', entityId: '7', dfiid: 'renamed' };
  await using audit = await rig.start();
  await rig.record.append(
    (['fileUploaded', 'fileRenamed'] as const).map((fact) => {
      const payload = composeAuditEvent(fact, { ...circumstances, ...user, names });
      return { id: uuidV7(), payload: { ...payload, auditTime: '2026-03-01T15:00:00.000Z' } };
    }),
  );
  const newPathsOf = async (query: Record<string, string>) =>
    z
      .array(z.object({ newPath: z.string().nullable() }))
      .parse(
        (
          await audit.client.get('/platform-application/api/v1/audit/activity', {
            query: { page: '0', sort: '+auditTime', ...query },
            bearer: rig.token('Operators'),
          })
        ).json(),
      )
      .map(({ newPath }) => newPath);
  expect(await newPathsOf({ q: '{fileName="b.csv.part"}', files: 'true' })).toEqual(['/inbox/b <i>.csv']);
  expect(await newPathsOf({ q: '{dfiid="renamed"}' })).toEqual([null, '/inbox/b <i>.csv']);
});
