import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { createForwardRig, range } from './forward-rig.ts';
import { someEvents } from './some-events.ts';
import { spawnAudit } from './spawn-audit.ts';
import { type Behaviour, startSyslogReceiver } from './syslog-receiver.ts';

it.each<Behaviour>(['close at once', 'read half and reset', 'never read', 'read slowly'])(
  'a receiver that would %s loses nothing, and the writer does not wait for it',
  async (behaviour) => {
    await using rig = await createForwardRig();
    await using _relay = rig.startRelay();
    await using receiver = await startSyslogReceiver();
    receiver.behaviour = behaviour;
    const destination = `syslog+tcp://127.0.0.1:${receiver.port}?from=start`;
    await using _audit = await rig.start(destination);
    await rig.send(someEvents(3_000));
    await rig.recorded();
    const attempts = behaviour === 'close at once' || behaviour === 'read half and reset' ? 3 : 1;
    await waitFor(() => receiver.attempts >= attempts, { what: 'attempts' });
    if (behaviour !== 'read slowly') expect(await rig.positionOf()).toBe(0);
    receiver.behaviour = 'read';
    await rig.confirmed(3_000);
    // A connection that was lost half-way is sent again as a whole.
    expect([...new Set(receiver.sequences())]).toEqual(range(1, 3_000));
    expect(receiver.faults).toEqual([]);
  },
);

it('of several services one forwards, and another one continues when it is killed or stopped', async () => {
  await using rig = await createForwardRig();
  await using receiver = await startSyslogReceiver();
  const env = {
    ...rig.env,
    ...rig.settings,
    AUDIT_FORWARDING: `syslog+tcp://127.0.0.1:${receiver.port}?from=start`,
  };
  await rig.append(100);
  const holder = () => rig.record.db('audit.forward_positions').first<{ holder: string | null }>('holder');
  const first = await spawnAudit(env);
  // The record after the first hundred says that the destination was added.
  await rig.confirmed(101);
  const held = await holder();
  await using _second = await rig.start(env.AUDIT_FORWARDING);
  await using _third = await rig.start(env.AUDIT_FORWARDING);
  for (const _batch of range(1, 10)) await rig.append(50);
  await rig.confirmed(601);
  expect(receiver.sequences()).toEqual(range(1, 601));
  expect(await holder()).toEqual(held);

  // In the middle of a delivery.
  receiver.behaviour = 'never read';
  const before = receiver.attempts;
  await rig.append(1_000);
  await waitFor(() => receiver.attempts > before, { what: 'a delivery' });
  await first.kill();
  receiver.behaviour = 'read';
  await rig.confirmed(1_601);
  expect(await holder()).not.toEqual(held);
  expect(receiver.sequences()).toEqual(range(1, 1_601));
  expect(receiver.faults).toEqual([]);
});

it('a dead destination costs one attempt at a time, and does not stop the others', async () => {
  await using rig = await createForwardRig();
  await using dead = await startSyslogReceiver();
  await using alive = await startSyslogReceiver();
  dead.behaviour = 'close at once';
  const destinations = [dead, alive].map(({ port }) => `syslog+tcp://127.0.0.1:${port}?from=start`).join(',');
  // Its pauses are a second, two, four, ...
  const overrides = { AUDIT_FORWARD_RETRY_SECONDS: '3600' };
  const startedAt = performance.now();
  await using _one = await rig.start(destinations, overrides);
  await using _other = await rig.start(destinations, overrides);
  for (const batch of range(1, 20)) {
    await rig.append(10);
    await waitFor(() => alive.messages.length === batch * 10, { what: 'the records of a batch' });
  }
  expect(alive.sequences()).toEqual(range(1, 200));
  // Of both services together: each attempt follows a pause that is twice as long as the one before.
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(dead.attempts).toBeLessThanOrEqual(Math.ceil(Math.log2(seconds + 2)));
});

it('a database that was set back does not stop the forwarding of what is recorded afterwards', async () => {
  await using rig = await createForwardRig();
  await using receiver = await startSyslogReceiver();
  await rig.append(10);
  await using _audit = await rig.start(`syslog+tcp://127.0.0.1:${receiver.port}?from=start`);
  await rig.confirmed(10);
  // As if ten more records had been forwarded and lost.
  await rig.record.db.raw('UPDATE audit.forward_positions SET position = 20');
  await waitFor(async () => (await rig.positionOf()) === 10, { what: 'the end of the log' });
  await rig.append(5);
  await rig.confirmed(15);
  expect(receiver.sequences()).toEqual(range(1, 15));
});

it('a destination that fails for long is recorded once, and again when it works', async () => {
  await using rig = await createForwardRig();
  await using _relay = rig.startRelay();
  await using receiver = await startSyslogReceiver();
  receiver.behaviour = 'close at once';
  const name = `syslog+tcp://127.0.0.1:${receiver.port}`;
  await using _audit = await rig.start(`${name}?from=start`, { AUDIT_FORWARD_ALERT_SECONDS: '0' });
  const messages = (code: string): Promise<string[]> =>
    rig.record.db('audit.records').where('audit_code', code).orderBy('sequence').pluck<string[]>('audit_message');
  await rig.append(5);
  const isRecorded = async () => (await messages('AUD0124A')).length > 0;
  await waitFor(isRecorded, { what: 'the record of the failure' });
  const attempts = receiver.attempts;
  await waitFor(() => receiver.attempts > attempts + 2, { what: 'further attempts' });
  receiver.behaviour = 'read';
  await waitFor(async () => (await messages('AUD0125A')).length > 0, { what: 'the record of the recovery' });
  // Both records are forwarded too.
  await rig.confirmed(7);
  expect(await messages('AUD0124A')).toEqual([expect.stringContaining(`to ${name} has failed since 2`)]);
  expect(await messages('AUD0125A')).toEqual([
    expect.stringMatching(/^Audit records up to record 6 were forwarded to /u),
  ]);
  expect([...new Set(receiver.sequences())]).toEqual(range(1, 7));
});
