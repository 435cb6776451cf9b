import { existsSync } from 'node:fs';
import { installDebianPackage, mayInstallDebianPackages } from '@waybill/private-datastores/install-debian-package';
import { Refusal } from '@waybill/private-datastores/refusal';

/** Where distributions keep the program, which is not in PATH. */
const places = [
  '/usr/lib/openssh/sftp-server',
  '/usr/libexec/openssh/sftp-server',
  '/usr/lib/ssh/sftp-server',
  '/usr/libexec/sftp-server',
];
const packageName = 'openssh-sftp-server';

/** OpenSSH's `sftp-server`, to compare with; from Debian's package where that may be installed. @throws Refusal */
export async function ensureOpensshSftpServer(): Promise<string> {
  const find = (): string | undefined => places.find((path) => existsSync(path));
  if (find() === undefined && mayInstallDebianPackages()) await installDebianPackage(packageName).catch(() => {});
  const program = find();
  if (program !== undefined) return program;
  throw new Refusal(
    `OpenSSH's \`sftp-server\` is missing: install it (on Debian \`apt-get install ${packageName}\`) and try again.`,
  );
}
