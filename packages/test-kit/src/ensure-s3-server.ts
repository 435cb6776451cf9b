import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { installDebianPackage, mayInstallDebianPackages } from '@waybill/private-datastores/install-debian-package';
import { Refusal } from '@waybill/private-datastores/refusal';

const run = promisify(execFile);
/** Debian's own Python, which its packages are for, before another one on PATH. */
const pythons = ['/usr/bin/python3', 'python3'];
const patienceMs = 120_000;

/** A Python that has OpenStack Swift, from Debian's package `python3-swift`, which is installed when it is missing. */
export async function ensureS3Server(): Promise<string> {
  const found = await findPython();
  if (found !== undefined) return found;
  if (mayInstallDebianPackages()) {
    // Another test file may be installing it at this moment: then this fails, and a retry succeeds.
    await installDebianPackage('python3-swift').catch(() => {});
    for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(1_000)) {
      const installed = await findPython();
      if (installed !== undefined) return installed;
    }
  }
  throw new Refusal("There is no S3 server to be had: install Debian's package python3-swift, and try again.");
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
