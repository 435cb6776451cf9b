import { expect, it } from 'vitest';
import { ensureProgram, mayInstallDebianPackages } from '../src/ensure-program.ts';

it('answers what it finds, and installs nothing', async () => {
  const lines: string[] = [];
  const report = (line: string): void => void lines.push(line);
  const found = await ensureProgram({ what: 'Node', packages: ['nodejs'], find: () => process.execPath, report });
  expect(found).toBe(process.execPath);
  expect(lines).toEqual([]);
});

it('says what to install, and what apt-get said', async () => {
  const packages = ['waybill-package-that-is-not-there'];
  const missing = ensureProgram({ what: 'The program', packages, find: () => undefined });
  const advice =
    'The program is missing: install it (on Debian `apt-get install waybill-package-that-is-not-there`) and try again';
  const reason = '; apt-get failed: E: Unable to locate package waybill-package-that-is-not-there';
  await expect(missing).rejects.toThrow(`${advice}${mayInstallDebianPackages() ? reason : ''}.`);
});
