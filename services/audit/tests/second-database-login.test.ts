import { expect, it } from 'vitest';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

it('a service works with a second login role that is a member of its role, as during a change of its password', async () => {
  await using rig = await createAuditRig();
  await using _relay = rig.startRelay();
  const { db } = rig.record;
  await db.raw("CREATE ROLE waybill_audit_b LOGIN PASSWORD 'another' IN ROLE waybill_audit");
  try {
    const url = new URL(rig.env.DATABASE_URL);
    [url.username, url.password] = ['waybill_audit_b', 'another'];
    await using _audit = await rig.start({ DATABASE_URL: url.toString() });
    await rig.send(someEvents(2));
    await rig.recorded();
    expect(Number((await db('audit.records').count())[0]?.count)).toBe(2);
  } finally {
    await db.raw('DROP ROLE waybill_audit_b');
  }
});
