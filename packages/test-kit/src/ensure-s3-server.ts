import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';

const run = promisify(execFile);
/** Debian's own Python, which its packages are for, before another one on PATH. */
const pythons = ['/usr/bin/python3', 'python3'];

/** A Python that has OpenStack Swift, from Debian's package `python3-swift`, which is installed when it is missing. @throws Refusal */
export async function ensureS3Server(): Promise<string> {
  return ensureProgram({ what: "OpenStack Swift's S3 server", packages: ['python3-swift'], find: findPython });
}

async function findPython(): Promise<string | undefined> {
  for (const python of pythons) {
    const works = await run(python, ['-c', 'import swift.common.wsgi, pyeclib'], { timeout: 20_000 }).then(
      () => true,
      () => false,
    );
    if (works) return python;
  }
  return undefined;
}
