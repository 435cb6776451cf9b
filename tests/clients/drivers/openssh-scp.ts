import { opensshEnvironment, opensshArguments } from '@waybill/test-kit/openssh-login';
import { runClient } from '../run-client.ts';
import type { Lack, Login, TransferClient } from '../transfer-client.ts';

/** All that scp does is in its usage: one way or the other from a source to a target. */
const copyOnly = (reason: string): Lack => ({
  reason,
  command: ['scp', '-?'],
  present: /usage: scp \[-346ABCOpqRrsTv\][^]+source \.\.\. target/,
  absent: /resume|rename|mkdir|list|remove|delete/,
});

/** OpenSSH's `scp`, which speaks SFTP by itself since 9.0. */
export const opensshScp: TransferClient = {
  name: 'OpenSSH scp',
  debianPackage: 'openssh-client',
  versionCommand: ['ssh', '-V'],
  version: /OpenSSH_(\S+)/,
  lacks: {
    resumeUpload: copyOnly('copies from the beginning'),
    resumeDownload: copyOnly('copies from the beginning'),
    rename: copyOnly('copies only'),
    makeFolders: copyOnly('makes folders only with what it copies into them'),
    list: copyOnly('copies only'),
    removeFile: copyOnly('copies only'),
    removeTree: copyOnly('copies only'),
  },
  connect: (login) => {
    const remoteOf = (path: string) => `${login.user}@127.0.0.1:${path}`;
    return Promise.resolve({
      upload: (local, remote) => copy(login, local, remoteOf(remote)),
      download: (remote, local) => copy(login, remoteOf(remote), local),
      mirrorUp: (local, remote) => copy(login, local, remoteOf(remote)),
      mirrorDown: (remote, local) => copy(login, remoteOf(remote), local),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
};

async function copy(login: Login, from: string, to: string): Promise<void> {
  await runClient(['scp', '-r', '-q', ...opensshArguments(login), `-P${login.port}`, from, to], {
    env: opensshEnvironment(login),
  });
}
