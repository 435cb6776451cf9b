import { once } from 'node:events';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { generatePgpKey } from '@waybill/pgp/generate-pgp-key';
import { beforeAll, expect, it } from 'vitest';
import { beforeCompletion, killWorkerAt } from './held-statements.ts';
import { originOfJob } from './start-test-platform.ts';
import { workerRig } from './worker-rig.ts';

const rig = workerRig();
const retry = { attempts: 3, delaySeconds: 0 };
const only = (uses: string, parameters: object) => ({ steps: [{ name: 'only', uses, with: parameters, retry }] });
const content = Buffer.from('order;amount\n4711;12.50\n');

const workflows = {
  encrypt: only('pgp-encrypt', { source: '/inbox/a', target: '/inbox/a.pgp', recipients: 'own', signWith: 'own' }),
  sign: only('pgp-sign', { source: '/inbox/a', target: '/inbox/a.sig', key: 'own', mode: 'inline' }),
  'pgp-decrypt': only('pgp-decrypt', { source: '/inbox/a.pgp', target: '/outbox/a', keys: 'own', signers: 'own' }),
  'pgp-verify': only('pgp-verify', { source: '/inbox/a.sig', target: '/outbox/a', signers: 'own' }),
};

beforeAll(async () => {
  const own = await generatePgpKey({ kind: 'ecc', user: { name: 'Waybill', email: 'own@waybill.test' }, days: 100 });
  await rig.setSecret('own-pgp', own.privateKey);
  const pgpKeys = [{ name: 'own', publicKey: own.publicKey, privateKey: 'secret://own-pgp' }];
  await rig.configure({ workflows, more: { pgpKeys } });
});

async function prepare(): Promise<void> {
  await rig.platform.deliver('/inbox/a', content);
  const worker = rig.start('maker');
  for (const action of ['encrypt', 'sign']) {
    expect((await rig.ended(await rig.submit(action))).status).toBe('COMPLETED');
  }
  worker.kill('SIGTERM');
  await once(worker, 'exit');
}

const outputsOf = async (id: number): Promise<unknown> =>
  (await rig.query('SELECT outputs, attempts FROM jobs.steps WHERE job_id = $1', id))[0];

const whatBecomesOfTheSource = {
  'is the same': {
    change: () => Promise.resolve(),
    signer: { signer: 'own', signerFingerprint: expect.stringMatching(/^[\da-f]{40}$/iu) },
  },
  'is gone': {
    change: async (path: string) => {
      await rig.platform.filebox.deleteFile(rig.platform.vfsId, parseVirtualPath(path), {
        origin: originOfJob('rigged', 'clean', 1),
      });
    },
    signer: { signer: '', signerFingerprint: '' },
  },
  'is another one': {
    change: (path: string) => rig.platform.deliver(path, Buffer.from('not signed at all')),
    signer: { signer: '', signerFingerprint: '' },
  },
} as const;

it.each([
  { task: 'pgp-decrypt', what: 'is the same' },
  { task: 'pgp-verify', what: 'is the same' },
  { task: 'pgp-decrypt', what: 'is another one' },
  { task: 'pgp-verify', what: 'is gone' },
] as const)(
  '$task, whose worker is killed after the file is written, finds the signer again, unless the source is another one by now: it $what',
  async ({ task, what }) => {
    const { change, signer } = whatBecomesOfTheSource[what];
    await prepare();
    const id = await rig.submit(task);
    const source = task === 'pgp-decrypt' ? '/inbox/a.pgp' : '/inbox/a.sig';
    await killWorkerAt(rig, beforeCompletion(task), () => change(source));
    expect((await rig.ended(id)).status).toBe('COMPLETED');
    expect(await outputsOf(id)).toMatchObject({ attempts: 2, outputs: { path: '/outbox/a', ...signer } });
    expect((await rig.platform.read('/outbox/a'))?.equals(content)).toBe(true);
    expect(await rig.query('SELECT FROM jobs.effects WHERE job_id = $1', id)).toHaveLength(1);
  },
);
