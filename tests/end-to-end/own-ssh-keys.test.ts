import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { spawnSftp } from '@waybill/test-kit/spawn-sftp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { connectToServers, siteConfiguration } from './site-configuration.ts';

const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let identityFile: string;

beforeAll(async () => {
  const folder = resources.use(await createTestFolder());
  const file = join(folder.path, 'platform.yaml');
  const partner = {
    name: 'umbrella',
    type: 'Partner',
    accountPolicy: 'own-keys',
    users: [{ name: 'tom', password: 'umbrella-demo' }],
    virtualFileSystems: [{ name: 'umbrella-files', folders: ['/inbox'] }],
    connectionContracts: connectToServers([{ user: 'tom', vfs: 'umbrella-files' }]),
  };
  const accountPolicies = [{ name: 'own-keys', sshKeys: { allowed: true } }];
  // YAML contains JSON.
  await writeFile(file, JSON.stringify({ ...siteConfiguration, accountPolicies, actors: [partner] }));
  identityFile = join(folder.path, 'key');
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', identityFile]);
  platform = resources.use(await startPlatformProcess({ WAYBILL_CONFIGURATION: file }));
});
afterAll(() => resources.disposeAsync());

const withKey = () => ({ port: platform.sftpPort, user: 'tom', identityFile });

it('a key that a partner adds over HTTP opens SFTP sessions at once, and none after it is deleted there', async () => {
  const http = platform.http();
  await http.post('/2.0/login/basic', { form: { username: 'tom', password: 'umbrella-demo' } });
  expect((await runSftp({ ...withKey(), commands: ['ls /'] })).exitCode).toBe(255);
  const added = await http.post('/2.0/account/ssh-keys', {
    json: { key: await readFile(`${identityFile}.pub`, 'utf8') },
  });
  const { id } = z.object({ id: z.string() }).parse(added.json());
  const listed = await runSftp({ ...withKey(), commands: ['ls /'] });
  expect([listed.exitCode, listed.stdout]).toEqual([0, expect.stringContaining('inbox')]);

  const open = spawnSftp(withKey(), { batch: false });
  open.child.stdin.write('ls /\n');
  await expect.poll(() => open.stdout()).toContain('inbox');
  expect((await http.delete(`/2.0/account/ssh-keys/${id}`)).status).toBe(200);
  let hasEnded = false;
  void open.exited.then(() => (hasEnded = true));
  // The client notices the end of its connection with its next command.
  const isOver = () => {
    if (!hasEnded) open.child.stdin.write('pwd\nls /\n');
    return hasEnded;
  };
  await expect.poll(isOver, { timeout: 2_000, interval: 100 }).toBe(true);
  expect((await runSftp({ ...withKey(), commands: ['ls /'] })).exitCode).toBe(255);
});
