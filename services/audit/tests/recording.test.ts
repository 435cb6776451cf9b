import { stat } from 'node:fs/promises';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { auditKeyStore } from '../src/audit-key-store.ts';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './memory-record.ts';
import { spawnAudit } from './spawn-audit.ts';

describe('recording', () => {
  it('builds one gapless chain from the concurrent appends of two services', async () => {
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
    await rig.send([event!]);
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

  it('covers new records with a signed digest after a while', async () => {
    await using rig = await createAuditRig();
    await using audit = await rig.start();
    await using _relay = rig.startRelay();
    await rig.send(someEvents(3));
    await rig.recorded();
    const digest = await waitFor(() => rig.record.db('audit.digests').first('first_sequence', 'last_sequence'), {
      what: 'a digest',
    });
    expect(digest).toEqual({ first_sequence: '1', last_sequence: '3' });
    expect((await audit.client.get('/metrics')).text).toMatch(/waybill_audit_digested_sequence\{[^}]*\} 3\n/u);
    expect(await rig.record.verify()).toMatchObject({ intact: true, digests: 1 });
  });

  it('covers new records with a signed digest at once when there are enough', async () => {
    await using rig = await createAuditRig();
    await using _audit = await rig.start({ AUDIT_DIGEST_INTERVAL_SECONDS: '3600', AUDIT_DIGEST_MAX_RECORDS: '10' });
    await using _relay = rig.startRelay();
    await rig.send(someEvents(25));
    await rig.recorded();
    const digested = () => rig.record.db('audit.digests').orderBy('number').pluck<string[]>('last_sequence');
    await waitFor(async () => (await digested()).length === 2, { what: 'two digests' });
    expect(await digested()).toEqual(['10', '20']);
  });

  it('keeps what it cannot record, and records it once the head is restored', async () => {
    await using rig = await createAuditRig();
    await using _audit = await rig.start();
    await using _relay = rig.startRelay();
    await rig.send(someEvents(1));
    await rig.recorded();
    // The signer of digests writes the head as well: it would overwrite a concurrent alteration.
    const digested = () => rig.record.db('audit.head').whereRaw('digested_sequence = sequence').first();
    await waitFor(digested, { what: 'the digest of the first record' });
    await rig.record.tamper('UPDATE audit.head SET record_hash = sha256(record_hash)');
    await rig.send(someEvents(1, 'later'));
    const waiting = () => rig.record.db('outbox.events').where('attempts', '>', 0).first('last_error');
    expect(await waitFor(waiting, { what: 'a refusal' })).toEqual({
      last_error: expect.stringContaining('The head of the audit log was altered'),
    });
    await rig.record.tamper(
      'UPDATE audit.head SET record_hash = (SELECT hash FROM audit.records WHERE records.sequence = head.sequence)',
    );
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
