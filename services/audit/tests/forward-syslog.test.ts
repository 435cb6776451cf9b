import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { createDestinationGuard } from '@waybill/outbound/address/destination-guard';
import { createTlsFiles } from '@waybill/test-kit/tls/create-tls-files';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { forwardListSchema } from '../src/adapters/forwarding/forward-settings.ts';
import { createSyslogDestination } from '../src/adapters/forwarding/syslog-destination.ts';
import { createForwardRig, range, storedRecords } from './forward-rig.ts';
import { createRecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';
import { startSyslogReceiver } from './syslog-receiver.ts';

it('each record is sent once and in order over TCP, also those that other processes append', async () => {
  await using rig = await createForwardRig();
  await using receiver = await startSyslogReceiver();
  await rig.append(3, 'before');
  const destination = `syslog+tcp://127.0.0.1:${receiver.port}`;
  {
    await using _audit = await rig.start(destination);
    await waitFor(async () => (await rig.positionOf()) === 3, { what: 'a new destination to begin at the end' });
    for (const batch of range(1, 3)) await rig.append(1_500, `batch${batch}`);
    await rig.confirmed(4_503);
  }
  // What is recorded while no service runs follows.
  await rig.append(5, 'later');
  await using _again = await rig.start(destination);
  await rig.confirmed(4_508);
  expect(receiver.sequences()).toEqual(range(4, 4_508));
  expect(receiver.faults).toEqual([]);
  expect(receiver.messages[0]).toMatchObject({ facility: 13, severity: 6, hostName: 'peer1', appName: 'waybill' });
  expect(receiver.messages[0]?.data).toEqual({ meta: { sequenceId: '4' }, origin: { software: 'Waybill' } });
});

it('a new destination can begin at the first record, as CEF, and gets a shortened form of records that are too large', async () => {
  await using rig = await createForwardRig();
  await using receiver = await startSyslogReceiver();
  await rig.record.append([...someEvents(2), ...someEvents(1, 'x'.repeat(3_000)), ...someEvents(1)]);
  const options = 'from=start&format=cef&max-bytes=2048&facility=10&name=siem';
  await using _audit = await rig.start(`syslog+tcp://127.0.0.1:${receiver.port}?${options}`);
  await rig.confirmed(4);
  const texts = receiver.messages.map(({ text }) => text);
  expect(texts.map((text) => text.startsWith('CEF:0|Waybill|Waybill|1|'))).toEqual([true, true, true, true]);
  expect(texts.map((text) => /cn1=(\d+)/u.exec(text)?.[1])).toEqual(['1', '2', '3', '4']);
  expect(texts[2]).toContain('Shortened: the record has');
  expect(texts[2]).not.toContain('xxx');
  expect(receiver.messages[2]?.facility).toBe(10);
});

it('over TLS the certificate is verified, and that of this side is sent', async () => {
  const pair = await makeSelfSigned({ names: ['127.0.0.1'], days: 1 });
  await using files = await createTlsFiles(pair);
  await using rig = await createForwardRig();
  await using receiver = await startSyslogReceiver({ ...pair, requestCert: true, rejectUnauthorized: false });
  await rig.append(20);
  const ownFiles = `cert-file=${files.certFile}&key-file=${files.keyFile}`;
  await using _audit = await rig.start(
    `syslog+tls://127.0.0.1:${receiver.port}?from=start&ca-file=${files.certFile}&${ownFiles}`,
  );
  await rig.confirmed(20);
  expect(receiver.sequences()).toEqual(range(1, 20));
  expect(receiver.clients).toEqual(['127.0.0.1']);
  expect(receiver.faults).toEqual([]);
});

it('nothing is sent to a receiver with a wrong certificate, or in a network that is not allowed', async () => {
  const pair = await makeSelfSigned({ names: ['127.0.0.1'], days: 1 });
  const other = await makeSelfSigned({ names: ['other.example'], days: 1 });
  await using files = await createTlsFiles(pair);
  await using receiver = await startSyslogReceiver(other);
  await using rig = await createRecordRig();
  await rig.append(someEvents(5));
  const records = await storedRecords(rig);
  const deliver = async (options: string, allowedNetworks: readonly string[] = ['127.0.0.0/8']) => {
    const [settings] = forwardListSchema.parse(`syslog+tls://127.0.0.1:${receiver.port}${options}`);
    if (settings?.kind !== 'syslog') throw new Error('not a syslog destination');
    const guard = createDestinationGuard({ allowedHosts: ['*'], allowedNetworks });
    return createSyslogDestination(settings, guard).deliver(records, AbortSignal.timeout(20_000));
  };
  const refused = { code: 'connection_failed', message: expect.stringContaining('TLS fails') };
  await expect(deliver('')).rejects.toMatchObject(refused);
  await expect(deliver(`?ca-file=${files.certFile}`)).rejects.toMatchObject(refused);
  // The right authority, and the wrong name.
  await files.write({ cert: other.cert });
  await expect(deliver(`?ca-file=${files.certFile}`)).rejects.toMatchObject(refused);
  expect(receiver.attempts).toBe(3);
  await expect(deliver(`?ca-file=${files.certFile}`, [])).rejects.toMatchObject({ code: 'destination_refused' });
  expect([receiver.attempts, receiver.messages.length]).toEqual([3, 0]);
});
