import { lstat, realpath } from 'node:fs/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';

const writableByOthers = 0o022;
const sticky = 0o1000;
const executable = 0o111;

/**
 * Checks that a program is what the operator has named: no symbolic link is on its path, and nothing on it can be changed by
 * others than root and the user of this process. So it cannot change between this check and its start either.
 * @throws CodedError `command_refused`
 */
export async function assertTrustedProgram(path: string): Promise<void> {
  const real = await realpath(path).catch((error: unknown) => {
    throw refused(`${path} cannot be found: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (real !== path) throw refused(`${path} is reached through a symbolic link: allow ${real} instead`);
  const names = path.split('/').slice(1);
  for (let count = 0; count <= names.length; count += 1) {
    await assertTrusted(`/${names.slice(0, count).join('/')}`, count === names.length);
  }
}

async function assertTrusted(path: string, isProgram: boolean): Promise<void> {
  const stats = await lstat(path);
  const { uid, mode } = stats;
  if (uid !== 0 && uid !== process.getuid?.()) throw refused(`${path} belongs to user ${uid}`);
  // In a folder such as /tmp, only the owner of a file can replace it.
  const protects = !isProgram && (mode & sticky) !== 0;
  if ((mode & writableByOthers) !== 0 && !protects) throw refused(`${path} can be written by others than its owner`);
  if (isProgram && (!stats.isFile() || (mode & executable) === 0)) throw refused(`${path} is no executable file`);
}

function refused(detail: string): CodedError {
  return new CodedError('command_refused', { detail });
}
