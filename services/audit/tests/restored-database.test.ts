import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

const run = promisify(execFile);
const waybill = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const tables = ['records', 'nodes', 'tree_head', 'log_keys'];

let rig: Awaited<ReturnType<typeof createAuditRig>>;
let relay: AsyncDisposable;
let memory: string;

beforeEach(async () => {
  rig = await createAuditRig();
  relay = rig.startRelay();
  memory = `${rig.signingKeyFile}.checkpoint`;
});
afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

async function record(count: number): Promise<void> {
  await using _audit = await rig.start();
  await rig.send(someEvents(count, crypto.randomUUID()));
  await rig.recorded();
}

const accept = (...args: readonly string[]) =>
  run(process.execPath, [waybill, 'audit', 'accept-restore', ...args], { env: spawnEnvironment(rig.env) });
const messages = () => rig.record.db('audit.records').where('audit_code', 'AUD0112A').pluck<string[]>('audit_message');
const sizeIn = async () => (await readFile(memory, 'utf8')).split('\n')[1];

describe('a database that was set back while the service was stopped', () => {
  beforeEach(async () => {
    await record(20);
    await rig.record.tamper(tables.map((table) => `CREATE TABLE old_${table} AS TABLE audit.${table}`).join(';'));
    await record(10);
    const putBack = tables.map((table) => `TRUNCATE audit.${table}; INSERT INTO audit.${table} TABLE old_${table}`);
    await rig.record.tamper(putBack.join(';'));
  });

  it('is found at the start, together with its signed head', async () => {
    await expect(rig.start()).rejects.toThrow(
      /^The audit log is not continued: 30 records of waybill\/manager1\/[\da-f]{32} were signed, but in the database it ends at record 20: it was set back to an older state\. Restore the database, or accept its state with `waybill audit accept-restore` \(docs\/audit\.md\)$/u,
    );
  });

  it('is continued after it was accepted, which is recorded once, and is not accepted a second time', async () => {
    const { stdout } = await accept('--reason', 'disk failure');
    expect(stdout).toMatch(/^30 records of waybill\S+ were signed\. The audit service continues/u);
    await record(1);
    await record(1);
    expect(await messages()).toEqual([
      expect.stringMatching(/continues after record 20, although record 30 of .*: disk failure$/u),
    ]);
    expect(await sizeIn()).toBe('23');
    const left = await readdir(path.dirname(memory));
    expect(left.filter((name) => name.includes('accepted'))).toEqual([]);
    const truncate = tables.map((table) => `TRUNCATE audit.${table}; INSERT INTO audit.${table} TABLE old_${table}`);
    await rig.record.tamper(truncate.join(';'));
    await expect(rig.start()).rejects.toThrow('23 records of');
  });

  it('is not continued because of an acceptance that was used up before', async () => {
    const restored = await readFile(memory, 'utf8');
    await writeFile(
      `${memory}.accepted`,
      JSON.stringify({
        checkpoint: restored.replace('30', '29'),
        user: 'x',
        reason: 'x',
        acceptedAt: '2026-03-14T00:00:00Z',
      }),
    );
    await expect(rig.start()).rejects.toThrow('it was set back');
    await writeFile(`${memory}.accepted`, '{');
    await expect(rig.start()).rejects.toThrow('it was set back');
  });

  it('needs a reason to be accepted', async () => {
    await expect(accept()).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("required option '--reason <text>' not specified"),
    });
  });
});

describe('the remembered checkpoint', () => {
  it('is found to be of another log when the database was wiped', async () => {
    await record(3);
    await rig.record.tamper(`TRUNCATE ${tables.map((table) => `audit.${table}`).join(', ')}`);
    await expect(rig.start()).rejects.toThrow('but the database has no audit log: it was wiped or replaced');
  });

  it('is adopted from the database when there is none, and never goes back', async () => {
    await record(3);
    const old = await readFile(memory, 'utf8');
    await record(4);
    expect(await sizeIn()).toBe('7');
    // As after the loss of power in which the last checkpoints were not stored yet.
    await writeFile(memory, old);
    await record(1);
    expect(await sizeIn()).toBe('8');
    await using _audit = await rig.start({ AUDIT_CHECKPOINT_FILE: `${memory}.other` });
    expect(await readFile(`${memory}.other`, 'utf8')).toBe(await readFile(memory, 'utf8'));
  });

  it.each(['', 'no checkpoint', 'waybill/x\n3\nAAAA\n\n— x AAAA\n'])('that reads %j stops the start', async (text) => {
    await record(3);
    await writeFile(memory, text);
    await expect(rig.start()).rejects.toThrow(`${memory} has no checkpoint of an audit log: restore the file`);
  });

  it('that cannot be written stops the start, and a running service only reports it', async () => {
    const blocked = path.join(path.dirname(memory), 'blocked', 'checkpoint');
    await writeFile(path.dirname(blocked), 'a file, not a folder');
    await expect(rig.start({ AUDIT_CHECKPOINT_FILE: path.join(blocked, 'file') })).rejects.toThrow('cannot be');
    await using audit = await rig.start();
    await rm(memory);
    await mkdir(memory);
    await rig.send(someEvents(2));
    await rig.recorded();
    expect(await rig.record.verify()).toMatchObject({ records: 2 });
    const metrics = async () => (await audit.client.get('/metrics')).text;
    await expect.poll(metrics).toMatch(/waybill_audit_checkpoint_failures_total\{[^}]*\} [1-9]/u);
  });
});
