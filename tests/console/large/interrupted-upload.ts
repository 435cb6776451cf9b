import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { waitFor } from '@waybill/test-kit/wait-for';
import type { Page } from 'playwright-core';
import { chooseFiles, type PartnersRig } from '../partners/open-partners.ts';
import { limitUploads } from './limit-uploads.ts';

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
  rig: PartnersRig,
  { bytes, report }: InterruptedUpload,
): Promise<{ sent: string; stored: string }> {
  const file = await writeBigFile(rig, 'big.bin', bytes);
  const { page } = await rig.logIn('/inbox');
  page.on('dialog', (dialog) => void dialog.accept());
  await limitUploads(page, bytes / 10);
  const say = timed(report);
  await chooseFiles(page, file);
  say(`Upload of ${bytes} bytes started`);
  let share = 0.3;
  for (const next of [0.5, 0.7]) {
    share = await shareAbove(page, share);
    await page.reload();
    say(`Page loaded again at ${percent(share)}`);
    await page.getByText('Interrupted. Choose the same file again to continue.').waitFor();
    await page.getByLabel('Choose the file').and(page.locator('input')).setInputFiles(file);
    // What arrived before is not sent again.
    const resumed = await shareAbove(page, 0);
    if (resumed < share * 0.8) throw new Error(`The upload went on at ${resumed} instead of ${share}`);
    say(`Continued at ${percent(resumed)}`);
    share = next;
  }
  share = await shareAbove(page, share);
  const killed = await peakOfServer(rig);
  await rig.platform.signal('http-files', 'SIGKILL');
  say(`http-files killed at ${percent(share)}; it had ${Math.round(killed)} MiB at most`);
  await page.getByText('1 of 1 stored').waitFor({ timeout: 240_000 });
  say(
    `Stored; the new http-files had ${Math.round(await peakOfServer(rig))} MiB at most, the page ${Math.round(await peakOfPage(page))} MiB`,
  );
  const copy = join(rig.folder, 'big.copy');
  await rig.sftp(`get /inbox/big.bin ${copy}`);
  const [sent, stored] = await Promise.all([hashOf(file), hashOf(copy)]);
  say(`SHA-256 of the file:          ${sent}`);
  say(`SHA-256 of what SFTP reads:   ${stored}`);
  return { sent, stored };
}

/** A file of which no two parts are equal: parts in a wrong order, or missing ones, change its hash. */
export async function writeBigFile(rig: PartnersRig, name: string, size: number): Promise<string> {
  const file = join(rig.folder, name);
  const cipher = createCipheriv('aes-128-ctr', randomBytes(16), randomBytes(16));
  const zeros = Buffer.alloc(1_024 ** 2);
  await pipeline(
    function* zerosOfSize() {
      for (let left = size; left > 0; left -= zeros.length) yield zeros.subarray(0, left);
    },
    cipher,
    createWriteStream(file),
  );
  await utimes(file, 1_700_000_000, 1_700_000_000);
  return file;
}

/** Waits until more than this share of the only upload has been sent, and returns the share. */
export async function shareAbove(page: Page, share: number): Promise<number> {
  const bar = page.locator('.transfer').getByRole('progressbar');
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

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Reports with the seconds since the beginning. */
function timed(report: (line: string) => void): (line: string) => void {
  const startedAt = performance.now();
  return (line) => report(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
}

async function peakOfServer({ platform }: PartnersRig): Promise<number> {
  return peakOf(Number.parseInt(await readFile(join(platform.folder, 'run/http-files.pid'), 'utf8'), 10));
}

/** The most memory that the largest renderer of the browser, that of the page, had, in MiB. */
export async function peakOfPage(page: Page): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {};
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  const peaks = await Promise.all(renderers.map(({ id }) => peakOf(id)));
  return Math.max(...peaks);
}

/** The most memory that a process had, in MiB. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s*(\d+)/mu.exec(status)?.[1]) / 1_024;
}
