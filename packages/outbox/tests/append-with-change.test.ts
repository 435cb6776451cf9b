import { expect, test } from 'vitest';
import { appendWithChange, prepareChange } from '../src/append-with-change.ts';
import { auditMessage, createOutboxRig } from './outbox-rig.ts';

const statement = prepareChange(
  'insert effect',
  'INSERT INTO effects (event_id, entity) VALUES (CAST(:eventId AS uuid), :entity)',
);
const insertion = (eventId: string) => ({ statement, bindings: { eventId, entity: 'changed' } });

test('a change and its messages are stored together, the messages in order', async () => {
  await using rig = await createOutboxRig();
  const messages = ['one', 'two', 'three'].map((text) => auditMessage(text));
  await appendWithChange(rig.db, insertion('00000000-0000-4000-8000-000000000001'), messages);
  expect(await rig.effects()).toEqual(['changed']);
  const payloads = await rig.db('outbox.events').orderBy('id').pluck<{ entityName: string }[]>('payload');
  expect(payloads.map(({ entityName }) => entityName)).toEqual(['one', 'two', 'three']);
});

test('a change that fails appends nothing', async () => {
  await using rig = await createOutboxRig();
  await expect(appendWithChange(rig.db, insertion('not a uuid'), [auditMessage('never')])).rejects.toThrow('uuid');
  expect(await rig.waiting()).toBe(0);
});

test('a change whose messages cannot be appended is not made', async () => {
  await using rig = await createOutboxRig();
  await rig.db.raw("ALTER TABLE outbox.events ADD CHECK (topic <> 'audit-event')");
  const change = insertion('00000000-0000-4000-8000-000000000001');
  await expect(appendWithChange(rig.db, change, [auditMessage('refused')])).rejects.toThrow('check');
  expect(await rig.effects()).toEqual([]);
});

test('if no row is changed nothing is appended, on request', async () => {
  await using rig = await createOutboxRig();
  const sql = 'UPDATE effects SET entity = :entity';
  const bindings = { entity: 'changed' };
  const demanding = prepareChange('update effect or be silent', sql, { onlyIfMade: true });
  await appendWithChange(rig.db, { statement: demanding, bindings }, [auditMessage('never')]);
  expect(await rig.waiting()).toBe(0);
  await appendWithChange(rig.db, { statement: prepareChange('update effect', sql), bindings }, [auditMessage('once')]);
  await appendWithChange(rig.db, insertion('00000000-0000-4000-8000-000000000001'), []);
  await appendWithChange(rig.db, { statement: demanding, bindings }, [auditMessage('once more')]);
  expect(await rig.waiting()).toBe(2);
});
