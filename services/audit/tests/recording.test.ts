import { readFile, stat } from 'node:fs/promises';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { auditKeyStore } from '../src/audit-key-store.ts';
import { parseCheckpoint } from '../src/domain/checkpoints/checkpoint.ts';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './some-events.ts';
import { spawnAudit } from './spawn-audit.ts';

describe('recording', () => {
  it('builds one gapless log from the concurrent appends of two services', async () => {
    await using rig = await createAuditRig();
    await using _one = await rig.start();
    await using _two = await rig.start();
    await using _relay = rig.startRelay();
    await Promise.all(Array.from({ length: 60 }, (_, index) => rig.send(someEvents(20, `batch-${index}`))));
    await rig.recorded();
    expect(await rig.record.verify()).toMatchObject({ intact: true, records: 1_200, lastSequence: 1_200 });
    const [counted] = await rig.record.db('audit.records').countDistinct<{ count: string }[]>('entity_name');
    expect(counted?.count).toBe('1200');
  });

  it('records an event once that is delivered twice', async () => {
    await using rig = await createAuditRig();
    await using audit = await rig.start();
    await using _relay = rig.startRelay();
    const [event] = someEvents(1);
    await rig.send([existing(event)]);
    const row = await rig.record.db('outbox.events').first<{ id: string; payload: object }>('id', 'payload');
    await rig.recorded();
    await rig.record.db('outbox.events').insert({ ...row, payload: JSON.stringify(row.payload), topic: 'audit-event' });
    await rig.recorded();
    expect(await rig.record.db('audit.records').pluck('id')).toEqual([row.id]);
    expect((await audit.client.get('/metrics')).text).toMatch(/waybill_audit_repeated_events_total\{[^}]*\} 1\n/u);
  });

  it('loses and repeats nothing when its process is killed again and again', async () => {
    await using rig = await createAuditRig();
    await using _relay = rig.startRelay();
    const recorded = async () =>
      Number((await rig.record.db('audit.records').max('sequence as last'))[0]?.['last'] ?? 0);
    for (let round = 0; round < 4; round += 1) {
      const audit = await spawnAudit(rig.env);
      const before = await recorded();
      const sends = Array.from({ length: 40 }, (_, index) => rig.send(someEvents(25, `round-${round}-${index}`)));
      await waitFor(async () => (await recorded()) > before, { what: 'records', timeoutMs: 30_000 });
      await audit.kill();
      await Promise.all(sends);
    }
    await using _last = await rig.start();
    // What a killed process had in hand is handed over again after 15 s.
    await rig.recorded(30_000);
    expect(await rig.record.verify()).toMatchObject({ intact: true, records: 4_000, lastSequence: 4_000 });
  });

  it('stops on request, with no partial work', async () => {
    await using rig = await createAuditRig();
    await using _relay = rig.startRelay();
    const audit = await spawnAudit(rig.env);
    await Promise.all(Array.from({ length: 20 }, (_, index) => rig.send(someEvents(25, `batch-${index}`))));
    expect(await audit.stop()).toBe(0);
    await using _next = await rig.start();
    await rig.recorded();
    expect(await rig.record.verify()).toMatchObject({ intact: true, records: 500 });
  });

  it('signs a checkpoint with each batch, and reports it in the log of the service', async () => {
    await using rig = await createAuditRig();
    await using audit = await rig.start();
    await using _relay = rig.startRelay();
    await rig.send(someEvents(3));
    await rig.recorded();
    const head = await rig.record.db('audit.tree_head').first<{ checkpoint: string }>('checkpoint');
    expect(parseCheckpoint(head.checkpoint)).toMatchObject({
      size: 3,
      origin: expect.stringMatching(/^waybill\/manager1\/[\da-f]{32}$/u),
    });
    expect((await audit.client.get('/metrics')).text).toMatch(/waybill_audit_head_sequence\{[^}]*\} 3\n/u);
    await expect.poll(() => readFile(`${rig.signingKeyFile}.checkpoint`, 'utf8')).toBe(head.checkpoint);
  });

  it('refuses an event with a code that only the log itself uses, and records the others', async () => {
    await using rig = await createAuditRig();
    await using _audit = await rig.start();
    await using _relay = rig.startRelay();
    const [forged, ...others] = someEvents(4);
    await rig.send([
      { ...existing(forged), payload: { ...existing(forged).payload, auditCode: 'AUD0111A' } },
      ...others,
    ]);
    const waiting = () => rig.record.db('outbox.events').where('attempts', '>', 0).first('last_error');
    expect(await waitFor(waiting, { what: 'a refusal' })).toEqual({
      last_error: expect.stringContaining('Only the audit log itself adds records with the code AUD0111A'),
    });
    await waitFor(async () => (await rig.record.verify()).records === 3, { what: 'the other three records' });
  });

  it('keeps what it cannot record, and records it once the head is restored', async () => {
    await using rig = await createAuditRig();
    await using _audit = await rig.start();
    await using _relay = rig.startRelay();
    await rig.send(someEvents(1));
    await rig.recorded();
    await rig.record.tamper("UPDATE audit.tree_head SET checkpoint = replace(checkpoint, '— ', '— x')");
    await rig.send(someEvents(1, 'later'));
    const waiting = () => rig.record.db('outbox.events').where('attempts', '>', 0).first('last_error');
    expect(await waitFor(waiting, { what: 'a refusal' })).toEqual({
      last_error: expect.stringContaining('The head of the audit log was altered'),
    });
    await rig.record.tamper("UPDATE audit.tree_head SET checkpoint = replace(checkpoint, '— x', '— ')");
    await rig.recorded();
    expect(await rig.record.verify()).toMatchObject({ intact: true, records: 2 });
  });
});

describe('the signing key', () => {
  it('is generated at the first start, readable by the owner only', async () => {
    await using rig = await createAuditRig();
    await using _audit = await rig.start();
    expect((await stat(rig.signingKeyFile)).mode & 0o777).toBe(0o600);
  });

  it('is the same for all that start together', async () => {
    await using rig = await createAuditRig();
    const file = `${rig.signingKeyFile}.other`;
    const sets = await Promise.all(Array.from({ length: 8 }, () => loadKeySet(auditKeyStore(file))));
    expect(new Set(sets.map(({ active }) => active.publicKey)).size).toBe(1);
  });

  it('must match the audit log: a service with another key does not start, unless the old one is still trusted', async () => {
    await using rig = await createAuditRig();
    await rig.record.append(someEvents(1));
    const { publicKey } = (await loadKeySet(auditKeyStore(rig.signingKeyFile))).active;
    const other = { AUDIT_SIGNING_KEY_FILE: `${rig.signingKeyFile}.other` };
    await expect(rig.start(other)).rejects.toThrow(`was signed by ${publicKey}, which is not trusted`);
    await using audit = await rig.start({ ...other, AUDIT_TRUSTED_PUBLIC_KEYS: publicKey });
    expect((await audit.client.get('/health/ready')).status).toBe(200);
  });
});
