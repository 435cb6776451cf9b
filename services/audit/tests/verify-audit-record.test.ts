import { auditVerificationSchema } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { describe, expect, it } from 'vitest';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

const path = '/platform-application/api/v1/audit/verification';

describe('the verification of the audit log', () => {
  it('says that an untouched record is intact, and what is wrong with another', async () => {
    await using rig = await createAuditRig();
    await using audit = await rig.start();
    const bearer = rig.token('Administrators');
    const verify = async () => auditVerificationSchema.parse((await audit.client.get(path, { bearer })).json());
    expect(await verify()).toMatchObject({ intact: true, records: 0, lastSequence: 0 });
    await rig.record.append(someEvents(5));
    expect(await verify()).toMatchObject({ intact: true, records: 5, lastSequence: 5, findings: [], findingCount: 0 });
    await rig.record.tamper("UPDATE audit.records SET dataone_user = 'mallory' WHERE sequence = 2");
    expect(await verify()).toMatchObject({
      intact: false,
      findings: [
        { kind: 'record_altered', sequence: 2 },
        { kind: 'records_mismatch', sequence: 1 },
      ],
      findingCount: 2,
    });
    expect((await audit.client.get('/metrics')).text).toMatch(/waybill_audit_verification_findings\{[^}]*\} 2\n/u);
  });

  it('is for administrators', async () => {
    await using rig = await createAuditRig();
    await using audit = await rig.start();
    const anonymous = await audit.client.get(path);
    expect([anonymous.status, problemSchema.parse(anonymous.json()).code]).toEqual([401, 'not_authenticated']);
    const viewer = await audit.client.get(path, { bearer: rig.token('Users') });
    expect([viewer.status, problemSchema.parse(viewer.json()).code]).toEqual([403, 'not_permitted']);
  });
});
