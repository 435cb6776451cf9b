import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mountRoot } from './drivers/sshfs.ts';
import './page-entry.ts';
import { type PartnerServer, startPartnerServer } from './partner-server.ts';
import { runClient } from './run-client.ts';

/** Of each kind of loop. */
const rounds = Number(process.env['ROUNDS'] ?? 100);
const program = new URL('loop-open-files.ts', import.meta.url).pathname;
let server: PartnerServer;

beforeAll(async () => {
  server = await startPartnerServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function loop(folder: string): Promise<Record<string, number>> {
  const output = await runClient([process.execPath, program, folder, `${rounds}`], { timeoutMs: 800_000 });
  return JSON.parse(output) as Record<string, number>;
}

const none = {
  'a file that is changed and removed': 0,
  'a file that is changed and renamed': 0,
  'a file that is written and removed, and another of its name': 0,
  'a lock file that takes the place of a file, and one that is removed': 0,
};

it(`over sshfs, ${rounds} files of each kind are as programs leave them`, async () => {
  const mount = await mountRoot(server.login('key'));
  try {
    const folder = join(mount.folder, 'inbox', 'loops');
    await mkdir(folder);
    expect(await loop(folder)).toEqual(none);
  } finally {
    await mount.unmount();
  }
}, 900_000);

it("with OpenSSH's server in place of the platform they are too", async () => {
  const { path, remove } = await createTestFolder();
  // sshfs speaks to whatever its SSH command starts.
  const command = join(path, 'instead-of-ssh');
  await writeFile(command, '#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n');
  await chmod(command, 0o755);
  const [mounted, served] = [join(path, 'mounted'), join(path, 'served')];
  await Promise.all([mounted, served].map((folder) => mkdir(folder)));
  await runClient(['sshfs', '-o', `ssh_command=${command}`, `localhost:${served}`, mounted]);
  try {
    await waitFor(async () => (await runClient(['stat', '-f', '-c', '%T', mounted])).includes('fuse'), {
      what: 'the folder to be mounted',
    });
    expect(await loop(mounted)).toEqual(none);
  } finally {
    await runClient(['fusermount3', '-u', '-z', mounted]);
    await remove();
  }
}, 900_000);
