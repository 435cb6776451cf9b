import { runSftp } from '@waybill/test-kit/run-sftp';
import type { Itinerary } from './itinerary.ts';

/** The address and the credentials. */
export type AcmeLogin = { sftp: Itinerary['sftp'] } & ({ identityFile: string } | { password: string });

/** Runs commands in the OpenSSH client as acme and returns its output; throws if one of them fails. */
export async function runAsAcme({ sftp, ...proof }: AcmeLogin, commands: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runSftp({ ...sftp, user: 'acme', ...proof, commands });
  if (exitCode !== 0) throw new Error(`sftp ended with exit code ${exitCode}: ${stderr.trim()}`);
  return stdout;
}
