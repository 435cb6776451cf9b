import { runClient } from '../run-client.ts';
import type { Lack, Login, TransferClient } from '../transfer-client.ts';

const noTrees: Lack = {
  reason: 'transfers the files that it is told, one by one',
  command: ['curl', '--help', 'all'],
  present: /--ftp-create-dirs/,
  absent: /recursive|mirror/i,
};

/** curl, built with libssh2 as Debian's is. */
export const curl: TransferClient = {
  name: 'curl (libssh2)',
  debianPackage: 'curl',
  versionCommand: ['curl', '--version'],
  version: /curl (\S+)[^]*?(libssh2\/\S+)/,
  lacks: { mirrorUp: noTrees, mirrorDown: noTrees, removeTree: noTrees },
  connect: (login) => {
    const run = (...args: string[]) => runCurl(login, args);
    const url = (path: string) => `sftp://127.0.0.1:${login.port}${path.split('/').map(encodeURIComponent).join('/')}`;
    const parent = (path: string) => url(path.slice(0, path.lastIndexOf('/') + 1));
    return Promise.resolve({
      upload: async (local, remote) => void (await run('-T', local, url(remote))),
      download: async (remote, local) => void (await run('-o', local, url(remote))),
      resumeUpload: async (local, remote) => void (await run('-C', '-', '-T', local, url(remote))),
      resumeDownload: async (remote, local) => void (await run('-C', '-', '-o', local, url(remote))),
      rename: async (from, to) => void (await run('-Q', `rename ${quote(from)} ${quote(to)}`, '-l', parent(from))),
      makeFolders: async (path) =>
        void (await run('--ftp-create-dirs', '-T', '/dev/null', url(`${path}/made-by-curl`))),
      list: async (folder) =>
        (await run('-l', url(`${folder}/`))).split('\n').filter((name) => !['', '.', '..'].includes(name)),
      removeFile: async (path) => void (await run('-Q', `rm ${quote(path)}`, '-l', parent(path))),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
};

function runCurl({ user, password, identityFile }: Login, args: readonly string[]): Promise<string> {
  const identity =
    identityFile === undefined
      ? ['-u', `${user}:${password}`]
      : ['--key', identityFile, '--pubkey', `${identityFile}.pub`, '-u', `${user}:`];
  return runClient(['curl', '-q', '-sS', '--insecure', '--globoff', ...identity, ...args]);
}

function quote(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
