import { existsSync } from 'node:fs';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';

/** Where distributions keep the program, which is not in PATH. */
const places = [
  '/usr/lib/openssh/sftp-server',
  '/usr/libexec/openssh/sftp-server',
  '/usr/lib/ssh/sftp-server',
  '/usr/libexec/sftp-server',
];

/** OpenSSH's `sftp-server`, to compare with; from Debian's package where that may be installed. @throws Refusal */
export async function ensureOpensshSftpServer(): Promise<string> {
  return ensureProgram({
    what: "OpenSSH's `sftp-server`",
    packages: ['openssh-sftp-server'],
    find: () => places.find((path) => existsSync(path)),
  });
}
