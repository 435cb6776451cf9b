import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { existing } from '@waybill/test-kit/values/existing';
import { expect, it } from 'vitest';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

const verifier = fileURLToPath(new URL('../../../packages/audit-verifier/src/verify-audit-log.js', import.meta.url));
const waybill = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const documentation = fileURLToPath(new URL('../../../docs/audit.md', import.meta.url));
const tables = ['records', 'nodes', 'tree_head', 'log_keys'];

function run(args: readonly string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: spawnEnvironment({}) }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out: out + err });
    });
  });
}

it('an auditor with Node, the verifier and a checkpoint kept from yesterday finds a rolled-back database', async () => {
  await using folder = await createTestFolder();
  await using rig = await createAuditRig();
  const [kept, keys, token] = ['kept.txt', 'keys.txt', 'token.txt'].map((name) => path.join(folder.path, name));
  await rig.record.append(someEvents(300));
  await rig.record.tamper(tables.map((table) => `CREATE TABLE old_${table} AS TABLE audit.${table}`).join(';'));
  const yesterday = await rig.record.append(someEvents(50));
  await using audit = await rig.start();
  const bearer = rig.token('Auditors');
  await writeFile(existing(token), `${bearer}\n`);
  await writeFile(existing(keys), (await audit.client.get('/platform-application/api/v1/audit/keys', { bearer })).text);
  await writeFile(existing(kept), yesterday.checkpoint);
  const options = [
    '--url',
    `http://127.0.0.1:${audit.port}`,
    '--token',
    existing(token),
    '--keys',
    existing(keys),
    '--since',
    existing(kept),
  ];

  await rig.record.append(someEvents(60));
  expect(await run([verifier, ...options, '--save', existing(kept)])).toEqual({
    code: 0,
    out: '410 records, 0 findings\n',
  });
  expect((await readFile(existing(kept), 'utf8')).split('\n')[1]).toBe('410');
  // The transcript in the documentation is this one.
  const transcript = await readFile(documentation, 'utf8');
  expect(transcript).toContain('--save kept-checkpoint.txt\n410 records, 0 findings\n$');

  const putBack = tables.map((table) => `TRUNCATE audit.${table}; INSERT INTO audit.${table} TABLE old_${table}`);
  await rig.record.tamper(putBack.join(';'));
  const found = await run([verifier, ...options]);
  expect(found).toEqual({
    code: 1,
    out: 'log_set_back 301: you kept a checkpoint of 410 records\n300 records, 1 findings\n',
  });
  expect(transcript).toContain(`--since kept-checkpoint.txt\n${found.out}$ echo $?\n1\n`);
  const asJson = await run([waybill, 'audit', 'verify', ...options, '--json']);
  expect(JSON.parse(asJson.out.split('\n', 1)[0] ?? '')).toEqual({
    valid: false,
    report: found.out.trimEnd().split('\n'),
  });
  expect(await run([waybill, 'audit', 'verify', ...options])).toEqual({
    code: 1,
    out: expect.stringContaining('waybill audit verify: The audit log was tampered with'),
  });
});

it('the verifier ends with code 2 and one sentence when it cannot read its input', async () => {
  await using folder = await createTestFolder();
  const file = path.join(folder.path, 'no-checkpoint.txt');
  await writeFile(file, 'no checkpoint');
  const attempts = [
    [],
    ['--file', '/nothing/here'],
    ['--file', file, '--since', file],
    ['--url', 'http://127.0.0.1:1', '--token', file],
  ];
  for (const args of attempts) {
    const { code, out } = await run([verifier, ...args]);
    expect([code, out]).toEqual([2, expect.stringMatching(/^verify-audit-log: [^\n]+\n$/u)]);
  }
});
