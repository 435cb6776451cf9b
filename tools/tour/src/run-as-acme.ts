import { runSftp } from '@waybill/test-kit/run-sftp';
import type { Itinerary } from './itinerary.ts';

/** Where to log in; with a key instead of the password when one is given. */
export interface AcmeLogin {
  sftp: Itinerary['sftp'];
  password?: string;
  keyFile?: string;
}

/** Runs commands in the OpenSSH client as acme and returns what it printed; throws when one of them fails. */
export async function runAsAcme({ sftp, password, keyFile }: AcmeLogin, commands: readonly string[]): Promise<string> {
  const proof = keyFile === undefined ? { password: password ?? '' } : { identityFile: keyFile };
  const { exitCode, stdout, stderr } = await runSftp({ ...sftp, user: 'acme', ...proof, commands });
  if (exitCode !== 0) throw new Error(`sftp ended with exit code ${exitCode}: ${stderr.trim()}`);
  return stdout;
}
