import { auditRecordSchema } from '@waybill/contracts/values/audit-record';
import { expect, it } from 'vitest';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

interface ReceivedEvent {
  readonly id: number;
  readonly event: string;
  readonly name: string;
}

const path = '/platform-application/api/v1/audit/logs/events';

/** A client that reads when it is asked to. */
async function follow(audit: RunningAudit, bearer: string, { q, after }: { q?: string; after?: number } = {}) {
  const stop = new AbortController();
  const query = q === undefined ? '' : `?q=${encodeURIComponent(q)}`;
  const answer = await fetch(`http://127.0.0.1:${audit.port}${path}${query}`, {
    headers: { authorization: `Bearer ${bearer}`, ...(after !== undefined && { 'last-event-id': String(after) }) },
    signal: stop.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    /** Resolves when so many events have arrived, or at the end of the stream. */
    read: async (count: number): Promise<ReceivedEvent[]> => {
      const parts: string[] = [];
      while (parts.length < count) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const part = text.slice(0, end);
          text = text.slice(end + 2);
          if (part.includes('event: ')) parts.push(part);
          continue;
        }
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) break;
        text += value ?? '';
      }
      return parts.map(eventOf);
    },
    stop: () => stop.abort(),
  };
}

function eventOf(part: string): ReceivedEvent {
  const [, id = '', event = '', data = ''] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/u.exec(part) ?? [];
  const name = event === 'record' ? auditRecordSchema.parse(JSON.parse(data)).entityName : '';
  return { id: Number(id), event, name };
}

it('sends new records in order, those of a filter, and what a client has missed', async () => {
  await using rig = await createAuditRig();
  await using audit = await rig.start();
  const bearer = rig.token('Auditors');
  await rig.record.append(someEvents(5, 'old'));
  const all = await follow(audit, bearer);
  const some = await follow(audit, bearer, { q: '{entityName^="/inbox/new-1"}' });
  expect(all).toMatchObject({ status: 200, type: expect.stringContaining('text/event-stream') });
  expect(await all.read(1)).toEqual([{ id: 5, event: 'ready', name: '' }]);
  expect(await some.read(1)).toEqual([{ id: 5, event: 'ready', name: '' }]);
  await rig.record.append(someEvents(20, 'new'));
  const received = await all.read(20);
  expect(received.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 6));
  expect(received.map(({ name }) => name)).toEqual(someEvents(20, 'new').map(({ payload }) => payload.entityName));
  expect((await some.read(11)).map(({ id }) => id)).toEqual([7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);

  const again = await follow(audit, bearer, { after: 23 });
  expect((await again.read(3)).map(({ id, event }) => `${event} ${id}`)).toEqual([
    'ready 23',
    'record 24',
    'record 25',
  ]);
  const restored = await follow(audit, bearer, { after: 99_999 });
  expect(await restored.read(1)).toEqual([{ id: 25, event: 'reset', name: '' }]);
  for (const client of [all, some, again, restored]) client.stop();
});

it('a client that does not read for a while misses nothing', async () => {
  await using rig = await createAuditRig();
  await using audit = await rig.start();
  const slow = await follow(audit, rig.token('Auditors'));
  expect(await slow.read(1)).toHaveLength(1);
  for (let batch = 0; batch < 10; batch += 1) await rig.record.append(someEvents(2_000, `batch${batch}`));
  expect((await slow.read(20_000)).map(({ id }) => id)).toEqual(
    Array.from({ length: 20_000 }, (_, index) => index + 1),
  );
  slow.stop();
});

it('limits the clients of a user, refuses others, and ends the streams when the service stops', async () => {
  await using rig = await createAuditRig();
  const audit = await rig.start();
  const bearer = rig.token('Auditors');
  const clients = await Promise.all(Array.from({ length: 10 }, () => follow(audit, bearer)));
  const eleventh = await follow(audit, bearer);
  expect(eleventh.status).toBe(429);
  expect((await follow(audit, rig.token('Users'))).status).toBe(403);
  expect((await follow(audit, bearer, { q: '{' })).status).toBe(400);
  for (const header of ['-1', 'x', '9'.repeat(16)]) {
    const answer = await fetch(`http://127.0.0.1:${audit.port}${path}`, {
      headers: { authorization: `Bearer ${bearer}`, 'last-event-id': header },
    });
    expect(answer.status).toBe(400);
  }
  clients[0]?.stop();
  await expect
    .poll(async () => {
      const next = await follow(audit, bearer);
      next.stop();
      return next.status;
    })
    .toBe(200);
  await audit[Symbol.asyncDispose]();
  // Besides the records of the refusals, if they were recorded in time.
  for (const client of clients.slice(1)) {
    const events = (await client.read(100)).map(({ event }) => event).filter((event) => event !== 'record');
    expect(events).toEqual(['ready']);
  }
});

it.each([
  ['was disabled', 'UPDATE directory.manager_users SET enabled = false WHERE name = ?'],
  ['has lost the role', "UPDATE directory.manager_users SET roles = '{Users}' WHERE name = ?"],
])('the stream of a user who %s ends, and sends no later record', async (_, statement) => {
  await using rig = await createAuditRig();
  await using audit = await rig.start();
  const follower = await follow(audit, rig.token('Auditors'));
  const other = await follow(audit, rig.token('Administrators'));
  expect([...(await follower.read(1)), ...(await other.read(1))].map(({ event }) => event)).toEqual(['ready', 'ready']);
  await rig.record.db.raw(statement, ['auditor']);
  expect(await follower.read(1)).toEqual([]);
  await rig.record.append(someEvents(3, 'secret'));
  expect(await follower.read(1)).toEqual([]);
  expect((await other.read(3)).map(({ event }) => event)).toEqual(['record', 'record', 'record']);
  other.stop();
});
