import { findProgram } from '@waybill/private-datastores/find-program';
import { installDebianPackage, mayInstallDebianPackages } from '@waybill/private-datastores/install-debian-package';
import { Refusal } from '@waybill/private-datastores/refusal';

/** The clients that tests run, and the Debian packages that have them. */
const packageOf = { sftp: 'openssh-client', curl: 'curl' } as const;

/** Makes sure that the clients exist, from Debian's packages if those may be installed. */
export async function ensureClients(report: (line: string) => void): Promise<void> {
  for (const [program, packageName] of Object.entries(packageOf)) {
    if (findProgram(program) !== undefined) continue;
    if (mayInstallDebianPackages()) {
      report(`Installing ${packageName} with apt-get`);
      await installDebianPackage(packageName).catch(() => {});
      if (findProgram(program) !== undefined) continue;
    }
    throw new Refusal(
      `The client \`${program}\` is missing: install it (on Debian \`apt-get install ${packageName}\`) and try again.`,
    );
  }
}
