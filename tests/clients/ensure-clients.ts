import { installDebianPackage, mayInstallDebianPackages } from '@waybill/private-datastores/install-debian-package';
import { Refusal } from '@waybill/private-datastores/refusal';
import { runOutcome } from './run-client.ts';
import type { TransferClient } from './transfer-client.ts';

/** The version of each client by its name. Clients that are missing are installed from Debian, where that may be done. */
export async function ensureClients(
  clients: readonly TransferClient[],
  report: (line: string) => void,
): Promise<ReadonlyMap<string, string>> {
  const missing = async (): Promise<string[]> => {
    const packages = new Set(['git']);
    for (const { debianPackage } of clients) packages.add(debianPackage);
    const found = await Promise.all([...packages].map(async (name) => ((await isThere(name, clients)) ? [] : [name])));
    return found.flat();
  };
  if (mayInstallDebianPackages()) {
    for (const name of await missing()) {
      report(`Installing ${name} with apt-get`);
      await installDebianPackage(name).catch(() => {});
    }
  }
  const left = await missing();
  if (left.length > 0) {
    throw new Refusal(
      `Clients are missing: install them (on Debian, as root, \`apt-get install ${left.join(' ')}\`) and try again.`,
    );
  }
  const versions = clients.map(async (client) => [client.name, (await versionOf(client)) ?? ''] as const);
  return new Map(await Promise.all(versions));
}

async function isThere(debianPackage: string, clients: readonly TransferClient[]): Promise<boolean> {
  if (debianPackage === 'git') return (await printed(['git', '--version'])) !== undefined;
  const brought = clients.filter((client) => client.debianPackage === debianPackage);
  const versions = await Promise.all(brought.map(versionOf));
  return versions.every((version) => version !== undefined);
}

/** The version, or undefined when the client is not there, or not in the form that is meant (curl without libssh2). */
async function versionOf({ versionCommand, version }: TransferClient): Promise<string | undefined> {
  const text = await printed(versionCommand);
  const [, ...parts] = version.exec(text ?? '') ?? [];
  return parts.length === 0 ? undefined : parts.join(' with ');
}

async function printed(command: readonly [string, ...string[]]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await runOutcome(command, { timeoutMs: 20_000 });
    return stdout + stderr;
  } catch {
    return undefined;
  }
}
