import { opensshArguments } from '@waybill/test-kit/openssh-login';
import { runClient } from '../run-client.ts';
import type { Login, TransferClient } from '../transfer-client.ts';

/** lftp, which has `ssh` carry its SFTP and types the password in itself. */
export const lftp: TransferClient = {
  name: 'lftp',
  debianPackage: 'lftp',
  versionCommand: ['lftp', '--version'],
  version: /Version (\S+)/,
  lacks: {},
  connect: (login) => {
    const run = (command: string) => runLftp(login, command);
    return Promise.resolve({
      upload: async (local, remote) => void (await run(`put ${quote(local)} -o ${quote(remote)}`)),
      download: async (remote, local) => void (await run(`get ${quote(remote)} -o ${quote(local)}`)),
      resumeUpload: async (local, remote) => void (await run(`put -c ${quote(local)} -o ${quote(remote)}`)),
      resumeDownload: async (remote, local) => void (await run(`get -c ${quote(remote)} -o ${quote(local)}`)),
      rename: async (from, to) => void (await run(`mv ${quote(from)} ${quote(to)}`)),
      makeFolders: async (path) => void (await run(`mkdir -p ${quote(path)}`)),
      mirrorUp: async (local, remote) => void (await run(`mirror -R ${quote(local)} ${quote(remote)}`)),
      mirrorDown: async (remote, local) => void (await run(`mirror ${quote(remote)} ${quote(local)}`)),
      list: async (folder) =>
        (await run(`cd ${quote(folder)}; cls -1 --filesize`)).split('\n').flatMap((line) => nameOf(line)),
      removeFile: async (path) => void (await run(`rm ${quote(path)}`)),
      removeTree: async (path) => void (await run(`rm -r ${quote(path)}`)),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
};

/** `cls -1` marks folders with a slash. */
function nameOf(line: string): string[] {
  return line === '' ? [] : [line.replace(/\/$/, '')];
}

/** Runs a command of lftp and resolves with what it prints. */
export function runLftp(login: Login, command: string): Promise<string> {
  const script = [
    `set sftp:connect-program ${quote(['ssh', '-a', '-x', ...opensshArguments(login)].join(' '))}`,
    'set sftp:charset utf-8',
    // A link that breaks is a failure here: the tests say when to go on.
    'set net:max-retries 1',
    'set net:timeout 30',
    'set net:reconnect-interval-base 1',
    'set cmd:fail-exit yes',
    'set xfer:clobber yes',
    `open -p ${login.port} -u ${login.user},${login.identityFile === undefined ? login.password : ''} sftp://127.0.0.1`,
    command,
  ];
  return runClient(['lftp', '--norc', '-c', script.join('\n')]);
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
