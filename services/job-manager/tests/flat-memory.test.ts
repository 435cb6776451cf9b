import { randomFillSync } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { type Gnupg, startGnupg } from '@waybill/test-kit/gnupg/start-gnupg';
import { type OpensshServer, startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { forgetPeak, memoryOf } from '@waybill/test-kit/processes/memory-of';
import { existing } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { originOfJob } from './start-test-platform.ts';
import { workerRig } from './worker-rig.ts';

const rig = workerRig();
const stop = new AsyncDisposableStack();
let server: OpensshServer;
let gnupg: Gnupg;

/** What a worker may need above what it needs when it has nothing to do. */
const mebibytesAtMost = 150;
const mebibyte = 1024 * 1024;

beforeAll(async () => {
  server = stop.use(await startOpensshServer());
  gnupg = stop.use(await startGnupg());
  const partner = await gnupg.generate('partner@acme.test', 'ecc');
  await rig.setSecret('acme-key', server.privateKey);
  const connection = {
    name: 'acme-sftp',
    type: 'sftp',
    host: '127.0.0.1',
    port: server.port,
    username: server.userName,
    privateKey: 'secret://acme-key',
    hostKeys: [server.hostKey],
  };
  const steps = [
    { name: 'compress', uses: 'gzip', with: { source: '/inbox/big', target: '/outbox/big.gz' } },
    {
      name: 'encrypt',
      uses: 'pgp-encrypt',
      with: { source: '${{ steps.compress.outputs.path }}', target: '/outbox/big.gz.pgp', recipients: ['partner'] },
    },
    {
      name: 'send',
      uses: 'sftp-push',
      with: { connection: 'acme-sftp', source: '${{ steps.encrypt.outputs.path }}', target: `${server.folder}/` },
    },
  ];
  await rig.configure({
    workflows: {
      warm: { steps: [{ name: 'write', uses: 'write-file', with: { path: '/outbox/warm', text: 'warm' } }] },
      send: { steps },
    },
    more: { clientConnections: [connection], pgpKeys: [{ name: 'partner', publicKey: partner.publicKey }] },
  });
}, 120_000);
afterAll(() => stop.disposeAsync());

const size = 192 * mebibyte;

/** Content that cannot be compressed, so that all of it passes through each step. */
async function storeBig(): Promise<void> {
  const { filebox, vfsId } = rig.platform;
  const origin = originOfJob('rigged', 'send', 1);
  await using upload = await filebox.beginUpload(vfsId, parseVirtualPath('/inbox/big'), { origin, overwrite: true });
  for (let at = 0; at < size; at += mebibyte) await upload.write(randomFillSync(Buffer.alloc(mebibyte)), at);
  await upload.commit();
}

// `npm run bench:job-manager -- memory` does the same with 5 GiB, which takes minutes.
it('the memory of a worker stays flat while it compresses, encrypts and sends a file', async () => {
  await storeBig();
  const worker = existing(rig.start('measured').pid);
  expect((await rig.ended(await rig.submit('warm'))).status).toBe('COMPLETED');
  const idle = await memoryOf(worker);
  await forgetPeak(worker);
  expect(await rig.ended(await rig.submit('send'), 400_000)).toMatchObject({ status: 'COMPLETED' });
  const { peak } = await memoryOf(worker);
  expect(peak - idle.now).toBeLessThan(mebibytesAtMost);

  expect(await readdir(server.folder)).toEqual(['big.gz.pgp']);
  const sent = await readFile(join(server.folder, 'big.gz.pgp'));
  expect(sent.equals(existing(await rig.platform.read('/outbox/big.gz.pgp')))).toBe(true);
}, 480_000);
