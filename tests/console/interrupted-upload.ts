import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { waitFor } from '@waybill/test-kit/wait-for';
import type { Page } from 'playwright-core';
import { chooseFiles, type ConsoleRig } from './open-console.ts';

/** An upload that is interrupted again and again. */
export interface InterruptedUpload {
  readonly bytes: number;
  /** Is called with each step. */
  readonly report: (line: string) => void;
}

/**
 * Uploads a file in spite of two reloads of the page and a killed server. Returns the SHA-256 of the file that was sent and of
 * the file that SFTP reads.
 */
export async function completeInterruptedUpload(
  rig: ConsoleRig,
  { bytes, report }: InterruptedUpload,
): Promise<{ sent: string; stored: string }> {
  const file = await writeBigFile(rig, 'big.bin', bytes);
  const { page } = await rig.logIn('/inbox');
  page.on('dialog', (dialog) => void dialog.accept());
  await chooseFiles(page, file);
  report(`Upload of ${bytes} bytes started`);
  let share = 0.05;
  for (const next of [0.3, 0.6]) {
    share = await shareAbove(page, share);
    await page.reload();
    report(`Page loaded again at ${Math.round(share * 100)} %`);
    await page.getByText('Interrupted. Choose the same file again to continue.').waitFor();
    await page.getByLabel('Choose the file').and(page.locator('input')).setInputFiles(file);
    // What arrived before is not sent again.
    const resumed = await shareAbove(page, 0);
    if (resumed < share * 0.8) throw new Error(`The upload went on at ${resumed} instead of ${share}`);
    report(`Continued at ${Math.round(resumed * 100)} %`);
    share = next;
  }
  share = await shareAbove(page, share);
  await rig.platform.signal('http-files', 'SIGKILL');
  report(`Server killed at ${Math.round(share * 100)} %`);
  await page.getByText('1 of 1 stored').waitFor({ timeout: 240_000 });
  report('Stored');
  const copy = join(rig.folder, 'big.copy');
  await rig.sftp(`get /inbox/big.bin ${copy}`);
  const [sent, stored] = await Promise.all([hashOf(file), hashOf(copy)]);
  report(`SHA-256 of the file:          ${sent}`);
  report(`SHA-256 of what SFTP reads:   ${stored}`);
  return { sent, stored };
}

/** A sparse file whose first and last bytes are random. */
export async function writeBigFile(rig: ConsoleRig, name: string, size: number): Promise<string> {
  const file = await rig.writeTestFile(name, randomBytes(65_536));
  await truncate(file, size);
  await using handle = await open(file, 'r+');
  await handle.write(randomBytes(65_536), 0, 65_536, size - 65_536);
  await utimes(file, 1_700_000_000, 1_700_000_000);
  return file;
}

/** Waits until more than this share of the only upload has been sent, and returns the share. */
export async function shareAbove(page: Page, share: number): Promise<number> {
  const bar = page.getByRole('progressbar');
  let last = 0;
  const isReached = async () => (last = Number(await bar.getAttribute('value'))) > share;
  await waitFor(isReached, { what: `${share} of the upload`, timeoutMs: 120_000 });
  return last;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
