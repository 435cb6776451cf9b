import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOperator } from '@waybill/end-to-end/operator';
import { createPartner } from '@waybill/end-to-end/partner';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { lftp, runLftp } from './drivers/lftp.ts';
import { opensshSftp, runBatch } from './drivers/openssh-sftp.ts';
import { paramiko, runParamiko } from './drivers/paramiko.ts';
import { openRemote, rclone, runRclone } from './drivers/rclone.ts';
import { mountRoot, sshfs } from './drivers/sshfs.ts';
import { hashTree, writeRandomFile, writeTree } from './local-files.ts';
import './page-entry.ts';
import { type PartnerServer, startPartnerServer } from './partner-server.ts';
import { runClient } from './run-client.ts';
import type { TransferClient } from './transfer-client.ts';

const treeShape = { folders: 4, filesEach: 5 };
let server: PartnerServer;

beforeAll(async () => {
  server = await startPartnerServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Has the test on the page, and makes an empty folder for it. */
async function begin(task: TestContext['task'], client: TransferClient): Promise<string> {
  task.meta.waybillParticular = { client: client.name, title: task.name };
  return await server.newFolder();
}

describe('rclone', () => {
  it('`check --download` finds every file as it was sent, and one that has changed since', async ({ task }) => {
    const local = await begin(task, rclone);
    await writeTree(join(local, 'tree'), treeShape);
    const remote = (await openRemote(server.login('key')))('/inbox/rclone');
    await runRclone(['copy', join(local, 'tree'), remote]);
    await runRclone(['check', '--download', join(local, 'tree'), remote]);
    await server.store('/inbox/rclone/folder 1/file-1.txt', new TextEncoder().encode('something else'));
    await expect(runRclone(['check', '--download', join(local, 'tree'), remote])).rejects.toThrow(
      '1 differences found',
    );
  });

  it('`sync` sends what is new or changed, and nothing else', async ({ task }) => {
    const local = await begin(task, rclone);
    await writeTree(join(local, 'tree'), treeShape);
    const remote = (await openRemote(server.login('password')))('/inbox/rclone-sync');
    await runRclone(['sync', join(local, 'tree'), remote]);
    await writeFile(join(local, 'tree', 'folder 1', 'file-1.txt'), 'changed');
    const log = join(local, 'rclone.log');
    await runRclone(['sync', '-v', '--log-file', log, join(local, 'tree'), remote]);
    expect((await readFile(log, 'utf8')).match(/[^ ].*: Copied .*/g)).toEqual([
      expect.stringContaining('folder 1/file-1.txt: Copied (replaced existing)'),
    ]);
  });
});

describe('sshfs', () => {
  const git = (folder: string, ...args: string[]) =>
    runClient(['git', '-C', folder, '-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args]);

  it('`git clone` into it, and a commit and a `git push` in there', async ({ task }) => {
    const local = await begin(task, sshfs);
    const source = join(local, 'source.git');
    const draft = join(local, 'draft');
    await mkdir(source);
    await git(source, 'init', '--bare', '--initial-branch=main', '--quiet');
    await git(local, 'clone', '--quiet', source, draft);
    await writeTree(draft, treeShape);
    await git(draft, 'add', '.');
    await git(draft, 'commit', '--quiet', '-m', 'Begin');
    await git(draft, 'push', '--quiet', 'origin', 'HEAD:main');

    const mount = await mountRoot(server.login('key'));
    try {
      const clone = join(mount.folder, 'inbox', 'clone');
      await git(local, 'clone', '--quiet', source, clone);
      await git(clone, 'fsck', '--strict');
      expect(await git(clone, 'status', '--porcelain')).toBe('');
      await writeFile(join(clone, 'folder 1', 'more.txt'), 'written in the clone');
      await git(clone, 'add', '.');
      await git(clone, 'commit', '--quiet', '-m', 'Go on');
      await git(clone, 'push', '--quiet');
    } finally {
      await mount.unmount();
    }
    expect(await git(source, 'show', 'main:folder 1/more.txt')).toBe('written in the clone');
  });

  it('`df` shows the room of the storage', async ({ task }) => {
    await begin(task, sshfs);
    const mount = await mountRoot(server.login('password'));
    try {
      const [, sizes = ''] = (await runClient(['df', '--output=size,avail', mount.folder])).trim().split('\n');
      const [size = 0, available = 0] = sizes.trim().split(/\s+/).map(Number);
      expect(size).toBeGreaterThan(available);
      expect(available).toBeGreaterThan(0);
    } finally {
      await mount.unmount();
    }
  });
});

describe('lftp', () => {
  it('`mirror -R` a second time sends what has changed, and nothing else', async ({ task }) => {
    const local = await begin(task, lftp);
    await writeTree(join(local, 'tree'), treeShape);
    const mirror = () => runLftp(server.login('password'), `mirror -R -v ${join(local, 'tree')} /inbox/lftp`);
    expect(await mirror()).toContain('Transferring file');
    await writeRandomFile(join(local, 'tree', 'folder 1', 'file-1.txt'), 5_000);
    const second = (await mirror()).match(/Transferring file .*/g);
    expect(second).toEqual(["Transferring file `folder 1/file-1.txt'"]);
  });
});

describe('paramiko', () => {
  it('`truncate` by path and of an open file', async ({ task }) => {
    const local = await begin(task, paramiko);
    await writeRandomFile(join(local, 'file.bin'), 100_000);
    const login = server.login('password');
    await runParamiko(login, ['upload', join(local, 'file.bin'), '/inbox/cut.bin']);
    expect(await runParamiko(login, ['truncate', '/inbox/cut.bin', '70000'])).toBe('70000\n');
    expect(await runParamiko(login, ['truncate_open', '/inbox/cut.bin', '500'])).toBe('500\n');
    await runClient(['truncate', '-s', '500', join(local, 'file.bin')]);
    expect(await server.hashOf('/inbox/cut.bin')).toBe((await hashTree(local))['file.bin']);
  });
});

describe('temporary names', () => {
  it('a file sent as `name.filepart` and renamed, as WinSCP does, starts its contract once, under the last name', async ({
    task,
  }) => {
    const local = await begin(task, opensshSftp);
    await writeFile(join(local, 'a.csv'), 'number,amount\n1,100\n');
    await runBatch(server.login('key'), [
      `put ${join(local, 'a.csv')} /inbox/winscp.csv.filepart`,
      'rename /inbox/winscp.csv.filepart /inbox/winscp.csv',
      // What comes later is worked off later: when its job is there, no second one of the first is on its way.
      `put ${join(local, 'a.csv')} /inbox/later.csv`,
    ]);
    const operator = createOperator(server.platform.url);
    const namesOfJobs = async () => {
      const jobs = await operator.jobs({ contractAction: 'compress-on-arrival', maxItems: 100 });
      return jobs.every(({ status }) => status === 'COMPLETED')
        ? jobs.map(({ dfic }) => `${dfic.original_filename}`).toSorted()
        : [];
    };
    await waitFor(async () => (await namesOfJobs()).includes('later.csv'), {
      what: 'the later job',
      timeoutMs: 60_000,
    });
    await waitFor(async () => (await namesOfJobs()).includes('winscp.csv'), { what: 'the job', timeoutMs: 60_000 });
    expect(await namesOfJobs()).toEqual(['later.csv', 'winscp.csv']);
    expect(await createPartner(server.platform).collect('winscp.csv.gz')).toBe('number,amount\n1,100\n');
    expect((await server.namesIn('/outbox'))?.toSorted()).toEqual(['later.csv.gz', 'winscp.csv.gz']);
  });
});
