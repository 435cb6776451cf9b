import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { runOutcome } from './run-client.ts';
import type { TransferClient } from './transfer-client.ts';

/** The version of each client by its name. Clients that are missing are installed from Debian, where that may be done. */
export async function ensureClients(
  clients: readonly TransferClient[],
  report: (line: string) => void,
): Promise<ReadonlyMap<string, string>> {
  for (const name of new Set(['git', ...clients.map(({ debianPackage }) => debianPackage)])) {
    const find = async () => (await isThere(name, clients)) || undefined;
    await ensureProgram({ what: `A client out of Debian's package ${name}`, packages: [name], find, report });
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
