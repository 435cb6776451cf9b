import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createForwardRig, range } from './forward-rig.ts';
import { someEvents } from './some-events.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const key = 'a signing key of the test';
let folder: Awaited<ReturnType<typeof createTestFolder>>;
let keyFile: string;

beforeAll(async () => {
  folder = await createTestFolder();
  keyFile = join(folder.path, 'hook-key');
  await writeFile(keyFile, `${key}\n`);
});
afterAll(() => folder.remove());

describe('a webhook', () => {
  it('gets signed batches of NDJSON, each record once and in order', async () => {
    await using rig = await createForwardRig();
    await using receiver = await startWebhookReceiver(key);
    await rig.append(2_500);
    await using _audit = await rig.start(`${receiver.url}?team=7&from=start&signing-key-file=${keyFile}`);
    await rig.confirmed(2_500);
    await rig.append(10);
    await rig.confirmed(2_510);
    expect(receiver.sequences()).toEqual(range(1, 2_510));
    const ids = receiver.accepted.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
    expect(receiver.accepted.every(({ bytes }) => bytes <= 1_048_576)).toBe(true);
    expect(receiver.accepted[0]?.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'waybill-audit-records': expect.stringMatching(/^1-\d+$/u),
    });
  });

  it('that fails gets the same batch again until it accepts it, and nothing after it before', async () => {
    await using rig = await createForwardRig();
    await using receiver = await startWebhookReceiver(key);
    const outcomes: string[] = [];
    receiver.answer = (response, { headers }) => {
      outcomes.push(String(headers['webhook-id']));
      // 500, the connection lost, a redirect to somewhere else, and half of an answer.
      const failures = [
        () => response.writeHead(500).end('<html>'.repeat(100_000)),
        () => response.destroy(),
        () => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
        () => response.writeHead(404).end(),
      ];
      const fail = failures[outcomes.length - 1];
      if (fail) fail();
      else response.writeHead(200).end('ok');
      return fail === undefined;
    };
    await rig.append(5);
    await using _audit = await rig.start(`${receiver.url}?from=start&signing-key-file=${keyFile}`);
    await rig.confirmed(5);
    expect(receiver.sequences()).toEqual(range(1, 5));
    expect(outcomes).toHaveLength(5);
    expect(new Set(outcomes).size).toBe(1);
  });

  it('that refuses batches as too large gets smaller ones, and a shortened form of a record that is too large alone', async () => {
    await using rig = await createForwardRig();
    await using receiver = await startWebhookReceiver(key);
    receiver.answer = (response, { bytes }) => {
      response.writeHead(bytes > 4_000 ? 413 : 204).end();
      return bytes <= 4_000;
    };
    await rig.record.append([...someEvents(20), ...someEvents(1, 'x'.repeat(4_000)), ...someEvents(20)]);
    await using _audit = await rig.start(`${receiver.url}?from=start&signing-key-file=${keyFile}`);
    await rig.confirmed(41);
    expect(receiver.sequences()).toEqual(range(1, 41));
    const shortened = receiver.accepted.flatMap(({ records }) => records.filter((one) => 'shortenedFrom' in one));
    expect(shortened).toMatchObject([{ sequence: 21, shortenedFrom: expect.any(Number) }]);
  });

  it('is sent nothing without its key, and continues when the file is there', async () => {
    await using rig = await createForwardRig();
    await using receiver = await startWebhookReceiver(key);
    const late = join(folder.path, 'late-key');
    await rig.append(5);
    await using _audit = await rig.start(`${receiver.url}?from=start&signing-key-file=${late}`);
    await waitFor(async () => (await rig.positionOf()) === 0, { what: 'the destination' });
    await writeFile(late, 'another key');
    await waitFor(() => receiver.requests > 1, { what: 'requests with a wrong signature' });
    expect(await rig.positionOf()).toBe(0);
    await writeFile(late, key);
    await rig.confirmed(5);
    expect(receiver.sequences()).toEqual(range(1, 5));
  });
});
