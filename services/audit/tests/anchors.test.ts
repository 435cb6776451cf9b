import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { auditVerificationSchema } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { createS3Bucket } from '@waybill/filebox/blobs/s3/s3-bucket';
import { createTestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { existing } from '@waybill/test-kit/values/existing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptRestore, type AnchorRig, createAnchorRig, sizeOf, startHttpAnchor, startWitness } from './anchor-rig.ts';

const run = promisify(execFile);
const waybill = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));

let rig: AnchorRig;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  rig = stack.use(await createAnchorRig());
});
afterEach(() => stack.disposeAsync());

/** An anchor, and the size of what it remembers. */
interface TestAnchor {
  readonly address: string;
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  size(): Promise<number>;
}

const kinds: Readonly<Record<string, () => Promise<TestAnchor>>> = {
  'a file': async () => {
    const file = path.join(rig.folder, 'anchor.txt');
    return {
      address: `file:${file}`,
      name: `file:${file}`,
      env: {},
      size: async () => sizeOf(await readFile(file, 'utf8')),
    };
  },
  'an object in S3': async () => {
    const store = stack.use(await createTestObjectStore());
    const { bucket, region, endpoint, credentials, client } = store;
    const name = `s3://${bucket}/audit/checkpoint`;
    const stored = createS3Bucket(client, bucket);
    return {
      address: `${name}?region=${region}&endpoint=${endpoint}&path-style=true`,
      name,
      env: { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
      size: async () => {
        const object = await stored.head('audit/checkpoint');
        const range = { start: 0, end: object?.size ?? 0, etag: object?.etag ?? '' };
        return sizeOf((await stored.read('audit/checkpoint', range)).toString());
      },
    };
  },
  'an HTTP endpoint': async () => {
    const endpoint = stack.use(await startHttpAnchor('secret'));
    const token = path.join(rig.folder, 'token');
    await writeFile(token, 'secret\n');
    return {
      address: `${endpoint.url}?token-file=${token}`,
      name: endpoint.url,
      env: {},
      size: async () => sizeOf(endpoint.text),
    };
  },
  'a witness': async () => {
    const witness = stack.use(await startWitness(rig));
    return { address: witness.anchor, name: witness.name, env: {}, size: witness.size };
  },
};

describe.each(Object.entries(kinds))('%s', (_kind, create) => {
  it('remembers every checkpoint, and finds a database that was put back with its head and the remembered checkpoint', async () => {
    const { address, name, env, size } = await create();
    {
      await using _audit = await rig.start(address, env);
      await rig.send(20);
      await expect.poll(size).toBe(20);
      await rig.save();
      await rig.send(10);
      await expect.poll(size).toBe(30);
    }
    await rig.putBack();
    await expect(rig.start(address, env)).rejects.toThrow(
      `were signed, as ${name} remembers, but in the database it ends at record 20: it was set back to an older state. Restore the database, or accept`,
    );
    expect(await size()).toBe(30);
  });

  it('is compared by a verification, which names it if the database was put back while the service ran', async () => {
    const { address, name, env, size } = await create();
    await using audit = await rig.start(address, env);
    const bearer = rig.token('Auditors');
    const verify = async () =>
      auditVerificationSchema.parse(
        (await audit.client.get('/platform-application/api/v1/audit/verification', { bearer })).json(),
      );
    await rig.send(20);
    await expect.poll(size).toBe(20);
    await rig.save();
    await rig.send(10);
    await expect.poll(size).toBe(30);
    expect(await verify()).toMatchObject({ intact: true, records: 30 });
    await rig.putBack();
    const message = expect.stringContaining(`as ${name} remembers, but in the database it ends at record 20`);
    expect((await verify()).findings).toContainEqual({ kind: 'anchor_contradicted', sequence: 30, message });
  });

  it('finds a database that continued from an older state', async () => {
    const { address, name, env, size } = await create();
    {
      await using _audit = await rig.start(address, env);
      await rig.send(5);
      await expect.poll(size).toBe(5);
      await rig.save();
      await rig.send(4);
      await expect.poll(size).toBe(9);
    }
    await rig.putBack();
    {
      await using _secretly = await rig.start('');
      await rig.send(7);
    }
    if (name.startsWith('witness')) {
      // A witness tells the size at the start, and compares the records when it gets the next checkpoint.
      await using audit = await rig.start(address, env);
      await expect
        .poll(async () => (await audit.client.get('/metrics')).text)
        .toMatch(/_anchor_contradicts\{[^}]*\} 1/u);
    } else {
      await expect(rig.start(address, env)).rejects.toThrow(
        `as ${name} remembers, but the database has other ones among its first 9`,
      );
    }
    expect(await size()).toBe(9);
  });
});

describe('an accepted restore', () => {
  it('covers all anchors, is recorded once, and a witness continues when its operator lets it', async () => {
    const anchors = [await existing(kinds['a file'])(), await existing(kinds['an HTTP endpoint'])()];
    const witness = stack.use(await startWitness(rig));
    const addresses = [...anchors.map(({ address }) => address), witness.anchor].join('\n');
    {
      await using _audit = await rig.start(addresses);
      await rig.send(20);
      await expect.poll(witness.size).toBe(20);
      await rig.save();
      await rig.send(10);
      for (const size of [...anchors.map((anchor) => anchor.size), witness.size]) await expect.poll(size).toBe(30);
    }
    await rig.putBack();
    const { stdout } = await acceptRestore(rig, { AUDIT_ANCHORS: addresses });
    for (const { name } of [...anchors, witness]) expect(stdout).toContain(`${name} remembers 30 records`);
    {
      await using _audit = await rig.start(addresses);
      await expect.poll(() => rig.messages('AUD0112A')).toEqual([expect.stringMatching(/: disk failure$/u)]);
      await rig.send(2);
      for (const { size } of anchors) await expect.poll(size).toBe(23);
    }
    // The witness still has the lost records: the service starts, and the witness does not cosign.
    await using audit = await rig.start(addresses);
    expect(await rig.messages('AUD0112A')).toHaveLength(1);
    expect(await witness.size()).toBe(30);
    await witness.stop();
    const origin = (await readFile(rig.memory, 'utf8')).split('\n')[0] ?? '';
    await run(process.execPath, [waybill, 'witness', 'forget', '--state', witness.stateFile, '--origin', origin], {
      env: spawnEnvironment(),
    });
    await witness.restart();
    await expect.poll(witness.size).toBe(23);
    await rig.send(1);
    await expect.poll(witness.size).toBe(24);
    const metrics = async () => (await audit.client.get('/metrics')).text;
    await expect.poll(metrics).toMatch(/waybill_audit_anchor_size\{anchor="witness.example\/w1"[^}]*\} 24/u);
  });
});

it('a restore is accepted although only a witness remembers what was lost', async () => {
  const witness = stack.use(await startWitness(rig));
  {
    await using _audit = await rig.start(witness.anchor);
    await rig.send(20);
    await rig.save();
    await rig.send(10);
    await expect.poll(witness.size).toBe(30);
  }
  await rig.putBack();
  await rm(rig.memory);
  await expect(rig.start(witness.anchor)).rejects.toThrow('in the database it ends at record 20');
  const { stdout } = await acceptRestore(rig, { AUDIT_ANCHORS: witness.anchor });
  expect(stdout).toMatch(/^witness\.example\/w1 remembers 30 records\nThe audit service continues/u);
  await using _audit = await rig.start(witness.anchor);
  await expect.poll(() => rig.messages('AUD0112A')).toEqual([expect.stringContaining('although record 30 of')]);
});
