import { opensshEnvironment, opensshArguments } from '@waybill/test-kit/openssh-login';
import { runClient } from '../run-client.ts';
import type { Lack, Login, TransferClient } from '../transfer-client.ts';

const noTreeRemoval: Lack = {
  reason: '`rm` takes files and `rmdir` an empty folder; there is no option for all below',
  command: ['sftp', '-?'],
  present: /usage: sftp/,
  absent: /recursive|rm -r/,
};

/** OpenSSH's `sftp` in batch mode: it stops at the first command that fails. */
export const opensshSftp: TransferClient = {
  name: 'OpenSSH sftp',
  debianPackage: 'openssh-client',
  versionCommand: ['ssh', '-V'],
  version: /OpenSSH_(\S+)/,
  remark:
    'Ctrl-C during a `put` cuts the file and closes it, with any server: the part is delivered. A client that is killed, or loses its connection, leaves an upload that `reput` goes on with.',
  lacks: { removeTree: noTreeRemoval },
  connect: (login) => {
    const run = (...commands: string[]) => runBatch(login, commands);
    return Promise.resolve({
      upload: async (local, remote) => void (await run(`put ${quote(local)} ${quote(remote)}`)),
      download: async (remote, local) => void (await run(`get ${quote(remote)} ${quote(local)}`)),
      resumeUpload: async (local, remote) => void (await run(`reput ${quote(local)} ${quote(remote)}`)),
      resumeDownload: async (remote, local) => void (await run(`reget ${quote(remote)} ${quote(local)}`)),
      rename: async (from, to) => void (await run(`rename ${quote(from)} ${quote(to)}`)),
      makeFolders: async (path) => void (await run(...withParents(path).map((folder) => `-mkdir ${quote(folder)}`))),
      mirrorUp: async (local, remote) =>
        void (await run(`mkdir ${quote(remote)}`, `put -r ${quote(`${local}/.`)} ${quote(remote)}`)),
      mirrorDown: async (remote, local) => void (await run(`get -r ${quote(remote)} ${quote(local)}`)),
      list: async (folder) =>
        (await run(`cd ${quote(folder)}`, 'ls -1'))
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith('sftp>')),
      removeFile: async (path) => void (await run(`rm ${quote(path)}`)),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
};

/** Runs commands of `sftp` and resolves with what it prints; the first that fails ends them. */
export function runBatch(login: Login, commands: readonly string[]): Promise<string> {
  const { port, user } = login;
  return runClient(['sftp', ...opensshArguments(login), `-P${port}`, '-b', '-', `${user}@127.0.0.1`], {
    env: opensshEnvironment(login),
    input: commands.map((command) => `${command}\n`).join(''),
  });
}

/** `sftp` expands patterns, and takes a backslash for itself also within quotes. */
function quote(path: string): string {
  return `"${path.replaceAll(/["\\*?[]/g, String.raw`\$&`)}"`;
}

function withParents(path: string): string[] {
  const segments = path.split('/').slice(1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}
