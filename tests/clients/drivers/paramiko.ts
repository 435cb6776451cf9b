import { fileURLToPath } from 'node:url';
import { runClient } from '../run-client.ts';
import type { Lack, Login, TransferClient } from '../transfer-client.ts';

/** Debian's own Python, which its packages are for. */
const python = '/usr/bin/python3';
const script = fileURLToPath(new URL('paramiko-client.py', import.meta.url));

const noTrees: Lack = {
  reason: 'a library: it has no call for a whole tree',
  command: [python, '-c', 'import paramiko; print(dir(paramiko.SFTPClient))'],
  present: /'listdir_iter'/,
  absent: /walk|recursive|tree|mirror/i,
};

/** paramiko, the SSH library of Python, as programs use it. */
export const paramiko: TransferClient = {
  name: 'paramiko',
  debianPackage: 'python3-paramiko',
  versionCommand: [python, '-c', 'import paramiko; print(paramiko.__version__)'],
  version: /^(\d\S*)/,
  lacks: { mirrorUp: noTrees, mirrorDown: noTrees, removeTree: noTrees },
  connect: (login) => {
    const run = (...args: string[]) => runParamiko(login, args);
    const tell = async (...args: string[]) => void (await run(...args));
    return Promise.resolve({
      upload: (local, remote) => tell('upload', local, remote),
      download: (remote, local) => tell('download', remote, local),
      resumeUpload: (local, remote) => tell('resume_upload', local, remote),
      resumeDownload: (remote, local) => tell('resume_download', remote, local),
      rename: (from, to) => tell('rename', from, to),
      makeFolders: (path) => tell('make_folders', path),
      list: async (folder) => (await run('names', folder)).split('\n').filter((name) => name !== ''),
      removeFile: (path) => tell('remove', path),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
};

/** Runs one function of `paramiko-client.py` and resolves with what it prints. */
export function runParamiko(login: Login, args: readonly string[]): Promise<string> {
  const { port, user, password, identityFile = '' } = login;
  return runClient([python, script, ...args], {
    env: { SFTP_PORT: `${port}`, SFTP_USER: user, SFTP_PASSWORD: password, SFTP_KEY_FILE: identityFile },
  });
}
