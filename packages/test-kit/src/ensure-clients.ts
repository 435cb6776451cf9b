import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { findProgram } from '@waybill/private-datastores/find-program';

/** The clients that tests run, and the Debian packages that have them. */
const packageOf = { sftp: 'openssh-client', curl: 'curl' } as const;

/** Makes sure that the clients exist, from Debian's packages if those may be installed. @throws Refusal */
export async function ensureClients(report: (line: string) => void): Promise<void> {
  for (const [program, packageName] of Object.entries(packageOf)) {
    await ensureProgram({
      what: `The client \`${program}\``,
      packages: [packageName],
      find: () => findProgram(program),
      report,
    });
  }
}

/** Makes sure that these shells exist, from Debian's packages if those may be installed. @throws Refusal */
export async function ensureShells(...shells: readonly ('zsh' | 'fish')[]): Promise<void> {
  for (const shell of shells) {
    await ensureProgram({ what: `The shell \`${shell}\``, packages: [shell], find: () => findProgram(shell) });
  }
}
