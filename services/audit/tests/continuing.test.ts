import { existing } from '@waybill/test-kit/values/existing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTrustedKeys } from '../src/domain/keys/trusted-keys.ts';
import { createRecordRig, createTestMemory, type RecordRig } from './record-rig.ts';
import { createTestSigner, someEvents } from './some-events.ts';

let rig: RecordRig;

beforeEach(async () => {
  rig = await createRecordRig();
});
afterEach(() => rig[Symbol.asyncDispose]());

const tables = 'audit.records, audit.nodes, audit.tree_head, audit.log_keys';

/** Copies the log, or puts the copy back: what an attacker with the database can do. */
const copy = () =>
  rig.tamper(
    tables
      .replaceAll('audit.', '')
      .split(', ')
      .map((table) => `CREATE TABLE old_${table} AS TABLE audit.${table}`)
      .join(';'),
  );
const putBack = () =>
  rig.tamper(
    tables
      .replaceAll('audit.', '')
      .split(', ')
      .map((table) => `TRUNCATE audit.${table}; INSERT INTO audit.${table} TABLE old_${table}`)
      .join(';'),
  );

describe('appending', () => {
  it('numbers records without gaps, ties each to the one before, and stores an event once', async () => {
    const events = someEvents(5);
    expect(await rig.append(events.slice(0, 2))).toMatchObject({ appended: 2, repeated: 0, size: 2 });
    expect(await rig.append(events)).toMatchObject({ appended: 3, repeated: 2, size: 5 });
    expect(await rig.append(events)).toMatchObject({ appended: 0, repeated: 5, size: 5 });
    const rows = await rig.db('audit.records').orderBy('sequence').select('sequence', 'id', 'correlation_id');
    expect(rows).toEqual(
      events.map(({ id }, index) => ({
        sequence: String(index + 1),
        id,
        correlation_id: events[index - 1]?.id ?? '00000000-0000-0000-0000-000000000000',
      })),
    );
    expect(await rig.findings()).toEqual([]);
  });

  it('continues with any sizes of batches, in turn with another process', async () => {
    const other = rig.createWriter();
    let total = 0;
    for (const [turn, count] of [1, 2, 255, 256, 3, 513, 1, 1, 700].entries()) {
      total += count;
      const append = turn % 2 === 0 ? rig.append : other;
      expect(await append(someEvents(count, `turn ${turn}`))).toMatchObject({ appended: count, size: total });
    }
    expect(await rig.verify()).toMatchObject({ intact: true, records: total });
  });

  it('continues after a batch whose transaction failed', async () => {
    await rig.append(someEvents(3));
    const twice = existing(someEvents(1)[0]);
    await expect(rig.append([twice, twice])).rejects.toThrow('duplicate key');
    await rig.append(someEvents(2));
    expect(await rig.verify()).toMatchObject({ intact: true, records: 5 });
  });

  it.each([
    ['the last leaf', `last_leaf = last_leaf || ' '`],
    ['a node', `frontier = overlay(frontier PLACING '\\x00'::bytea FROM 1)`],
    ['the nodes', `frontier = ''`],
    ['the size', 'size = 4'],
    ['the checkpoint', `checkpoint = replace(checkpoint, E'\\n3\\n', E'\\n4\\n')`],
  ])('refuses a head of which %s was altered', async (_what, change) => {
    await rig.append(someEvents(3));
    await rig.tamper(`UPDATE audit.tree_head SET ${change}`);
    await expect(rig.createWriter()(someEvents(1))).rejects.toThrow('was altered: nothing is recorded');
    expect((await rig.db('audit.records').count())[0]).toEqual({ count: '3' });
  });

  it('refuses records without a head, and a head that a stranger signed', async () => {
    const forget = () => rig.createWriter({ memory: createTestMemory() });
    await rig.append(someEvents(3));
    const stranger = createTestSigner();
    const trusted = createTrustedKeys([stranger.publicKey]);
    const foreign = rig.createWriter({ signer: stranger, trusted, memory: createTestMemory() });
    await expect(foreign(someEvents(1))).rejects.toThrow(`was signed by ${rig.signer.publicKey}, which is not trusted`);
    await rig.tamper('DELETE FROM audit.tree_head');
    await expect(forget()(someEvents(1))).rejects.toThrow('The head of the audit log is missing');
  });
});

describe('a database that contradicts what is remembered', () => {
  it('is refused when an old state was put back, by a running writer and at a start', async () => {
    await rig.append(someEvents(300));
    await copy();
    await rig.append(someEvents(20));
    await putBack();
    const reason = '320 records of waybill/manager-1/[\\da-f]+ were signed, but in the database it ends at record 300';
    await expect(rig.append(someEvents(1))).rejects.toThrow(new RegExp(reason, 'u'));
    await expect(rig.createWriter()(someEvents(1))).rejects.toThrow(new RegExp(reason, 'u'));
    expect(await rig.findings()).toEqual(['log_set_back 301']);
  });

  it('is refused when it was wiped', async () => {
    await rig.append(someEvents(3));
    await rig.tamper(`TRUNCATE ${tables}`);
    await expect(rig.createWriter()(someEvents(1))).rejects.toThrow('the database has no audit log: it was wiped');
    await expect(rig.append(someEvents(1))).rejects.toThrow('the database has no audit log: it was wiped');
  });

  it('is refused when it has another log', async () => {
    await rig.append(someEvents(3));
    await rig.tamper(`TRUNCATE ${tables}`);
    await rig.createWriter({ memory: createTestMemory() })(someEvents(9));
    await expect(rig.createWriter()(someEvents(1))).rejects.toThrow(
      /but the database has the log .*: it was replaced/u,
    );
  });

  it('is refused when it is a fork, longer than what is remembered', async () => {
    await rig.append(someEvents(300));
    await copy();
    await rig.append(someEvents(20));
    await putBack();
    await rig.createWriter({ memory: createTestMemory() })(someEvents(500, 'fork'));
    await expect(rig.createWriter()(someEvents(1))).rejects.toThrow(
      'but the database has other ones among its first 320',
    );
    expect(await rig.findings()).toEqual(['log_forked 320']);
  });

  it('is accepted with a record that names both states, once', async () => {
    await rig.append(someEvents(30));
    await copy();
    await rig.append(someEvents(20));
    await putBack();
    const [was] = [await rig.memory.read()];
    const accepted = {
      checkpoint: existing(was).note,
      user: 'root',
      reason: 'disk failure',
      acceptedAt: '2026-03-14T00:00:00.000Z',
    };
    const accepting = { read: async () => ({ ...existing(was), accepted }), remember: rig.memory.remember };
    expect(await rig.createWriter({ memory: accepting })([])).toMatchObject({ appended: 1, size: 31 });
    // Killed before it could remember the new checkpoint, another process finds the acceptance again.
    expect(await rig.createWriter({ memory: accepting })(someEvents(1))).toMatchObject({ appended: 1, size: 32 });
    expect(await rig.db('audit.records').where('audit_code', 'AUD0112A').pluck('audit_message')).toEqual([
      expect.stringMatching(
        /^User root has accepted that the audit log continues after record 30, although record 50 of waybill.* was signed with the root .*: disk failure$/u,
      ),
    ]);
    expect(await rig.verify()).toMatchObject({ intact: true, records: 32 });
  });
});
