import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { opensshEnvironment, opensshArguments } from '@waybill/test-kit/openssh-login';
import { waitFor } from '@waybill/test-kit/wait-for';
import { runClient } from '../run-client.ts';
import type { Login, TransferClient } from '../transfer-client.ts';

/** sshfs closes a file a moment after the program that wrote it has, and nothing tells when. */
const closingMs = 2_000;

/** Appends to a file what it lacks of another one. */
const appendRest = 'tail -c +$(( $(stat -c %s "$2") + 1 )) "$1" >> "$2"';

/** sshfs: the remote folders as a file system, and the usual commands on them. */
export const sshfs: TransferClient = {
  name: 'sshfs',
  debianPackage: 'sshfs',
  versionCommand: ['sshfs', '--version'],
  version: /SSHFS version (\S+)/,
  obstacle: () => (isUsable('/dev/fuse') ? undefined : 'this machine has no usable /dev/fuse'),
  remark:
    'When the link breaks in the middle of a download, sshfs can leave zeros where it has not received anything, with any server. Mounted with `-o direct_io`, as here for resuming, it does not. A file is delivered when sshfs has closed it, a moment after the program that wrote it.',
  lacks: {},
  connect: async (login) => {
    const mount = await mountRoot(login);
    const at = (path: string) => join(mount.folder, path);
    const run = async (...command: [string, ...string[]]) => void (await runClient(command));
    return {
      upload: (local, remote) => run('cp', local, at(remote)),
      download: (remote, local) => run('cp', at(remote), local),
      resumeUpload: (local, remote) => run('sh', '-c', appendRest, 'sh', local, at(remote)),
      resumeDownload: (remote, local) => run('sh', '-c', appendRest, 'sh', at(remote), local),
      rename: (from, to) => run('mv', at(from), at(to)),
      makeFolders: (path) => run('mkdir', '-p', at(path)),
      mirrorUp: (local, remote) => run('cp', '-r', local, at(remote)),
      mirrorDown: (remote, local) => run('cp', '-r', at(remote), local),
      list: async (folder) => (await runClient(['ls', '-U', at(folder)])).split('\n').filter((line) => line !== ''),
      removeFile: (path) => run('rm', at(path)),
      removeTree: (path) => run('rm', '-r', at(path)),
      [Symbol.asyncDispose]: mount.unmount,
    };
  },
};

/** Mounts the user's root folder; it is unmounted also when this process dies. */
export async function mountRoot(login: Login): Promise<{ folder: string; unmount(): Promise<void> }> {
  const own = await mkdtemp(join(login.folder, 'sshfs-'));
  const folder = join(own, 'mounted');
  await mkdir(folder);
  const source = `${login.user}@127.0.0.1:/`;
  const sshfsProcess = await startOwnedProcess({
    command: [
      'sshfs',
      '-f',
      ...(login.isFragile === true ? ['-o', 'direct_io'] : []),
      '-p',
      `${login.port}`,
      ...opensshArguments(login),
      source,
      folder,
    ],
    env: { ...process.env, ...opensshEnvironment(login) },
    logFile: join(own, 'sshfs.log'),
    pidFile: join(own, 'sshfs.pid'),
    stopSignal: 'SIGTERM',
    patienceMs: 10_000,
  });
  const { dev } = await stat(own);
  await waitFor(async () => (await stat(folder)).dev !== dev, { what: `${folder} to be mounted`, timeoutMs: 30_000 });
  return {
    folder,
    unmount: async () => {
      await delay(closingMs);
      // One that lost its server does not listen to a signal; to be unmounted it does.
      await runClient(['fusermount3', '-u', '-z', folder]).catch(() => {});
      await sshfsProcess.stop();
      await rmdir(folder);
    },
  };
}

function isUsable(device: string): boolean {
  try {
    accessSync(device, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
