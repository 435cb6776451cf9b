import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { existing } from '@waybill/test-kit/values/existing';
import { expect, it } from 'vitest';
import { createAnchorRig, startWitness } from './anchor-rig.ts';

const verifier = fileURLToPath(new URL('../../../packages/audit-verifier/src/verify-audit-log.js', import.meta.url));
const waybill = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const api = '/platform-application/api/v1/audit';

function run(args: readonly string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: spawnEnvironment({}) }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out: out + err });
    });
  });
}

it('an auditor with Node, the verifier and the key of a witness finds database, head and remembered checkpoint put back together', async () => {
  await using rig = await createAnchorRig();
  await using witness = await startWitness(rig);
  const [token, keys, kept] = ['token.txt', 'keys.txt', 'kept.txt'].map((name) => path.join(rig.folder, name));
  const bearer = rig.token('Auditors');
  await writeFile(existing(token), bearer);
  const optionsOf = (port: number) => [
    '--url',
    `http://127.0.0.1:${port}`,
    '--token',
    existing(token),
    '--keys',
    existing(keys),
  ];
  const cosigners = ['--witness', witness.verifierKey];
  let origin = '';
  {
    await using audit = await rig.start(witness.anchor);
    await rig.send(300);
    await expect.poll(witness.size).toBe(300);
    await rig.save();
    await rig.send(110);
    await expect.poll(witness.size).toBe(410);
    const cosigned = async () => (await audit.client.get(`${api}/checkpoint`, { bearer })).text;
    await expect.poll(cosigned).toContain(`— ${witness.name} `);
    const newest = await audit.client.get(`${api}/checkpoint`, { bearer, query: { cosigned: true } });
    expect(newest.text).toBe(await cosigned());
    origin = newest.text.split('\n')[0] ?? '';
    await writeFile(existing(keys), (await audit.client.get(`${api}/keys`, { bearer })).text);
    const honest = await run([verifier, ...optionsOf(audit.port), ...cosigners]);
    expect(honest).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^witness\.example\/w1 has cosigned 410 records, at \S+Z\n410 records, 0 findings\n$/u,
      ),
    });
    expect(await run([waybill, 'audit', 'verify', ...optionsOf(audit.port), ...cosigners])).toEqual(honest);
  }
  await rig.putBack();
  // The service refuses that database, so whoever put it back starts it without the witness.
  await expect(rig.start(witness.anchor)).rejects.toThrow(
    'as witness.example/w1 remembers, but in the database it ends at record 300: it was set back to an older state',
  );
  await using secretly = await rig.start('');
  const served = await fetch(`${witness.url}/${hash('sha256', origin)}/checkpoint`);
  await writeFile(existing(kept), await served.text());
  expect(await run([verifier, ...optionsOf(secretly.port), ...cosigners, '--since', existing(kept)])).toEqual({
    code: 1,
    out: expect.stringMatching(/^log_set_back 301: you kept a checkpoint of 410 records\n/u),
  });
  // Without the records that the witness has seen there is nothing that it would cosign.
  await rig.send(200);
  expect(await run([verifier, ...optionsOf(secretly.port), ...cosigners, '--since', existing(kept)])).toEqual({
    code: 1,
    out: expect.stringMatching(/^producer_gap 301: missing from .* between 300 and 411\nlog_forked 410: /u),
  });
});

it('the verifier refuses keys that are not those of witnesses, and numbers that cannot be', async () => {
  await using rig = await createAnchorRig();
  await using witness = await startWitness(rig);
  await using audit = await rig.start('');
  const token = path.join(rig.folder, 'token.txt');
  await writeFile(token, rig.token('Auditors'));
  const options = ['--url', `http://127.0.0.1:${audit.port}`, '--token', token];
  const key = witness.verifierKey;
  const wrong = [
    ['--witness', 'nothing'],
    ['--witness', (await rig.keys()).trim()],
    ['--witness', key, '--witnesses-needed', '2'],
    ['--witness', key, '--witnesses-needed', '0'],
    ['--witness', key, '--witnesses-needed', 'x'],
  ];
  for (const args of wrong)
    expect(await run([verifier, ...options, ...args])).toEqual({
      code: 2,
      out: expect.stringMatching(/^verify-audit-log: [^\n]+\n$/u),
    });
  expect(await run([verifier, ...options, '--witness', key])).toMatchObject({ code: 1 });
});
