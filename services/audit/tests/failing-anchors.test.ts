import { once } from 'node:events';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { connectRedis } from '@waybill/redis/connect-redis';
import { readPresences } from '@waybill/redis/presence/read-presences';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptRestore, type AnchorRig, createAnchorRig, sizeOf, startHttpAnchor, startWitness } from './anchor-rig.ts';

let rig: AnchorRig;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  rig = stack.use(await createAnchorRig());
});
afterEach(() => stack.disposeAsync());

describe('an anchor that cannot be reached', () => {
  it('at the start is compared when it can be, and then stops the recording until the state is accepted', async () => {
    const folder = path.join(rig.folder, 'mount');
    const file = path.join(folder, 'checkpoint');
    await mkdir(folder);
    {
      await using _audit = await rig.start(`file:${file}`);
      await rig.send(20);
      await rig.save();
      await rig.send(10);
      await expect.poll(async () => sizeOf(await readFile(file, 'utf8'))).toBe(30);
    }
    await rig.putBack();
    await rename(folder, `${folder}.away`);
    await expect(rig.start(`file:${file}`, { AUDIT_ANCHORS_UNREACHABLE: 'refuse' })).rejects.toThrow(
      `The anchor file:${file} of the audit log cannot be read`,
    );
    await using audit = await rig.start(`file:${file}`);
    await rig.send(2);
    await rename(`${folder}.away`, folder);
    const metrics = async () => (await audit.client.get('/metrics')).text;
    await expect.poll(metrics).toMatch(/waybill_audit_anchor_contradicts\{[^}]*\} 1/u);
    await rig.post(3);
    const waiting = () => rig.record.db('outbox.events').where('attempts', '>', 0).first<object | undefined>('id');
    await expect.poll(waiting).toBeDefined();
    expect((await rig.record.verify()).records).toBe(22);
    await acceptRestore(rig, { AUDIT_ANCHORS: `file:${file}` });
    await expect.poll(metrics).toMatch(/waybill_audit_anchor_contradicts\{[^}]*\} 0/u);
    await rig.record.db.raw('UPDATE outbox.events SET attempts = 0, next_attempt_at = now()');
    await rig.recorded();
    expect(await rig.messages('AUD0112A')).toEqual([expect.stringContaining('although record 30 of')]);
    await expect.poll(async () => sizeOf(await readFile(file, 'utf8'))).toBe(26);
  });

  it('is reported to the other services, with the last checkpoint, from its first failure to the next success', async () => {
    const witness = stack.use(await startWitness(rig));
    const redis = connectRedis({
      url: rig.redis.url,
      name: 'test',
      logger: createLogger({ service: 'test', level: 'silent' }),
    });
    stack.defer(() => redis.disconnect());
    await using _audit = await rig.start(witness.anchor);
    const reported = async () => {
      const [process] = await readPresences(redis);
      const [anchor] = process?.audit?.anchors ?? [];
      return { ...process?.audit?.checkpoint, ...anchor };
    };
    await rig.send(3);
    const known = { name: witness.name, kind: 'witness', contradicts: false };
    const signedAt = expect.stringMatching(/^2/u);
    await expect.poll(reported, { interval: 200 }).toEqual({ ...known, signedAt, records: 3 });
    const [{ expiring } = {}] = await readPresences(redis);
    expect(expiring).toMatchObject([{ kind: 'signing-key', name: 'audit' }]);
    await witness.stop();
    await rig.send(4);
    const failing = { behindSince: signedAt, failingSince: signedAt };
    await expect.poll(reported, { interval: 200 }).toEqual({ ...known, signedAt, records: 3, ...failing });
    await witness.restart();
    await expect.poll(reported, { interval: 200 }).toEqual({ ...known, signedAt, records: 7 });
  });

  it('does not delay records, is recorded, and gets the newest checkpoint when it works again', async () => {
    const endpoint = stack.use(await startHttpAnchor('secret'));
    const token = path.join(rig.folder, 'token');
    await writeFile(token, 'secret\n');
    await using audit = await rig.start(`${endpoint.url}?token-file=${token}&method=POST`, {
      AUDIT_ANCHOR_ALERT_SECONDS: '0',
    });
    await rig.send(3);
    await expect.poll(() => sizeOf(endpoint.text)).toBe(3);
    expect(new Set(endpoint.methods)).toEqual(new Set(['GET', 'POST']));
    endpoint.answer = (response) => response.writeHead(503).end();
    await rig.send(4);
    await expect
      .poll(() => rig.messages('AUD0115A'))
      .toEqual([
        expect.stringMatching(
          /^The anchor http:\S+ has failed since \S+, after the checkpoint of record 3: .*answered 503/u,
        ),
      ]);
    await rig.send(5);
    const metrics = async () => (await audit.client.get('/metrics')).text;
    expect(await metrics()).toMatch(/waybill_audit_anchor_lag_seconds\{anchor="http[^}]*\} \d*\.?\d*[1-9]/u);
    endpoint.answer = undefined;
    await expect.poll(() => rig.messages('AUD0116A')).toHaveLength(1);
    await expect.poll(() => sizeOf(endpoint.text)).toBe(14);
    await expect.poll(metrics).toMatch(/waybill_audit_anchor_lag_seconds\{anchor="http[^}]*\} 0\n/u);
  });

  it('because it never answers does not delay records', async () => {
    const endpoint = stack.use(await startHttpAnchor('secret'));
    await using _audit = await rig.start(endpoint.url.replace('/checkpoint', '/other'));
    endpoint.answer = () => {};
    await rig.send(50);
    expect((await rig.record.verify()).records).toBe(50);
  });
});

describe('garbage in an anchor', () => {
  it.each([
    ['an empty file', ''],
    ['a text', 'no checkpoint'],
    ['a large file', 'x'.repeat(100_000)],
  ])('stops the start, and is not overwritten: %s', async (_what, text) => {
    const file = path.join(rig.folder, 'anchor.txt');
    await writeFile(file, text);
    await expect(rig.start(`file:${file}`)).rejects.toThrow(
      `The audit log is not continued: file:${file} has something else than a checkpoint of an audit log`,
    );
    expect(await readFile(file, 'utf8')).toBe(text);
    await acceptRestore(rig, { AUDIT_ANCHORS: `file:${file}` });
    await using _audit = await rig.start(`file:${file}`);
    await rig.send(2);
    await expect.poll(async () => sizeOf(await readFile(file, 'utf8'))).toBe(3);
  });

  it('from an HTTP endpoint while the service runs is a failure, and does not stop the recording', async () => {
    const endpoint = stack.use(await startHttpAnchor('secret'));
    const token = path.join(rig.folder, 'token');
    await writeFile(token, 'secret\n');
    await using audit = await rig.start(`${endpoint.url}?token-file=${token}`);
    await rig.send(2);
    await expect.poll(() => sizeOf(endpoint.text)).toBe(2);
    endpoint.answer = (response) => response.writeHead(200).end('<html>'.repeat(50_000));
    await rig.send(3);
    const metrics = async () => (await audit.client.get('/metrics')).text;
    await expect.poll(metrics).toMatch(/waybill_audit_anchor_failures_total\{[^}]*\} [1-9]/u);
    expect((await rig.record.verify()).records).toBe(5);
  });
});

it('a file that was removed while the service runs is written again', async () => {
  const file = path.join(rig.folder, 'anchor.txt');
  await using _audit = await rig.start(`file:${file}`);
  await rig.send(2);
  await expect.poll(async () => sizeOf(await readFile(file, 'utf8'))).toBe(2);
  await rm(file);
  await rig.send(2);
  await expect.poll(async () => sizeOf(await readFile(file, 'utf8').catch(() => ''))).toBe(4);
});

it('two processes share anchors without failures of one because of the other', async () => {
  const witness = stack.use(await startWitness(rig));
  const file = path.join(rig.folder, 'anchor.txt');
  const addresses = `file:${file},${witness.anchor}`;
  await using one = await rig.start(addresses);
  await using _other = await rig.start(addresses);
  for (let round = 0; round < 5; round += 1) await rig.send(20);
  await expect.poll(witness.size).toBe(100);
  await expect.poll(async () => sizeOf(await readFile(file, 'utf8'))).toBe(100);
  expect((await one.client.get('/metrics')).text).toMatch(/waybill_audit_anchor_contradicts\{[^}]*\} 0/u);
  expect(await rig.messages('AUD0115A')).toEqual([]);
});

it('versions of an object in S3 are locked for the configured days', async () => {
  const heard: IncomingHttpHeaders[] = [];
  // The S3 server of the tests has no object lock: only what is requested can be checked.
  const server = createServer((request, response) => {
    if (request.method === 'PUT') heard.push(request.headers);
    request.resume().on('end', () => response.writeHead(request.method === 'PUT' ? 200 : 404).end());
  });
  stack.defer(() => void server.close());
  stack.defer(() => server.closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const address = `s3://bucket/checkpoint?endpoint=http://127.0.0.1:${port}&path-style=true&lock-days=400`;
  await using _audit = await rig.start(address, { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' });
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  expect(heard[0]).toMatchObject({ 'x-amz-object-lock-mode': 'COMPLIANCE' });
  const until = Date.parse(String(heard[0]?.['x-amz-object-lock-retain-until-date']));
  expect((until - Date.now()) / 86_400_000).toBeCloseTo(400, 1);
});
