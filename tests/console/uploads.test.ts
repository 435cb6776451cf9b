import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseFiles, type ConsoleRig, openConsole } from './open-console.ts';

const gibibyte = 1_024 ** 3;

describe('uploads of a browser', () => {
  let rig: ConsoleRig;
  beforeAll(async () => {
    rig = await openConsole();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  /** A sparse file whose first and last bytes are random. */
  const writeBigFile = async (name: string, size: number): Promise<string> => {
    const file = await rig.writeTestFile(name, randomBytes(65_536));
    await truncate(file, size);
    await using handle = await open(file, 'r+');
    await handle.write(randomBytes(65_536), 0, 65_536, size - 65_536);
    await utimes(file, 1_700_000_000, 1_700_000_000);
    return file;
  };

  it('complete 512 MiB in spite of two reloads of the page and a killed server', { timeout: 300_000 }, async () => {
    const file = await writeBigFile('big.bin', gibibyte / 2);
    const { page } = await rig.logIn('/inbox');
    page.on('dialog', (dialog) => void dialog.accept());
    await chooseFiles(page, file);
    let share = 0.05;
    for (const next of [0.3, 0.6]) {
      share = await shareAbove(page, share);
      await page.reload();
      await page.getByText('Interrupted. Choose the same file again to continue.').waitFor();
      await page.getByLabel('Choose the file').and(page.locator('input')).setInputFiles(file);
      // What arrived before is not sent again.
      expect(await shareAbove(page, 0)).toBeGreaterThanOrEqual(share * 0.8);
      share = next;
    }
    await shareAbove(page, share);
    await rig.platform.signal('http-files', 'SIGKILL');
    await page.getByText('1 of 1 stored').waitFor({ timeout: 240_000 });
    const copy = join(rig.folder, 'big.copy');
    await rig.sftp(`get /inbox/big.bin ${copy}`);
    expect(await hashOf(copy)).toBe(await hashOf(file));
  });

  it('stop when they are paused, go on when they are resumed, and leave nothing when they are removed', async () => {
    const file = await writeBigFile('paused.bin', gibibyte / 2);
    const { page, takeErrors } = await rig.logIn('/inbox');
    const created = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
    await chooseFiles(page, file);
    const address = (await (await created).headerValue('location')) ?? '';
    await shareAbove(page, 0.01);
    await page.getByRole('button', { name: 'Pause: paused.bin' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    const offset = () => offsetOf(page, address);
    // The server notices the end of the request a moment later.
    let last = -1;
    await expect.poll(async () => last === (last = await offset())).toBe(true);
    expect(last).toBeGreaterThan(0);
    expect(last).toBeLessThan(gibibyte / 2);
    await page.getByRole('button', { name: 'Resume: paused.bin' }).click();
    await expect.poll(offset).toBeGreaterThan(last);
    await page.getByRole('button', { name: 'Pause: paused.bin' }).click();
    await page.getByRole('button', { name: 'Remove from the list: paused.bin' }).click();
    await expect.poll(offset).toBe(-1);
    expect(await page.getByText('paused.bin').count()).toBe(0);
    expect(takeErrors()).toEqual([]);
  });

  it(
    'bring a dropped tree with its nested and empty folders, also into folders that exist',
    { timeout: 200_000 },
    async () => {
      const { page, takeErrors } = await rig.logIn('/inbox');
      await mkdir(join(rig.folder, 'tree/deep/deeper'), { recursive: true });
      await mkdir(join(rig.folder, 'tree/empty/inner'), { recursive: true });
      // More than the hundred entries that a browser returns at a time.
      for (let index = 0; index < 120; index += 1) await rig.writeTestFile(`tree/deep/${index}.txt`, `${index}`);
      await rig.writeTestFile('tree/deep/deeper/last.txt', 'last');
      await rig.sftp('mkdir /inbox/tree', 'mkdir /inbox/tree/deep');
      await drop(page, join(rig.folder, 'tree'));
      // What failed is named first.
      const panel = () => page.getByRole('region', { name: 'Uploads' }).innerText({ timeout: 60_000 });
      await expect.poll(async () => (await panel()).slice(0, 400), { timeout: 120_000 }).toContain('121 of 121 stored');
      const { stdout } = await rig.sftp('ls -1 /inbox/tree', 'ls -1 /inbox/tree/empty', 'ls -1 /inbox/tree/deep');
      for (const name of ['tree/empty', 'empty/inner', 'deep/deeper', 'deep/0.txt', 'deep/119.txt'])
        expect(stdout).toContain(name);
      expect((await rig.sftp('ls -1 /inbox/tree/deep/deeper')).stdout).toContain('last.txt');
      expect(takeErrors()).toEqual([]);
    },
  );

  it('bring a folder that was chosen, and say so where a file has the name of a folder', async () => {
    const { page, takeErrors } = await rig.logIn('/inbox');
    await mkdir(join(rig.folder, 'chosen/inner'), { recursive: true });
    await rig.writeTestFile('chosen/inner/one.txt', 'one');
    const choose = () =>
      page.getByLabel('Upload a folder').and(page.locator('input')).setInputFiles(join(rig.folder, 'chosen'));
    await choose();
    await page.getByText('1 of 1 stored').waitFor();
    expect((await rig.sftp('ls -1 /inbox/chosen/inner')).stdout).toContain('one.txt');
    const local = await rig.writeTestFile('flat', 'a file');
    await rig.sftp('rm /inbox/chosen/inner/one.txt', 'rmdir /inbox/chosen/inner', `put ${local} /inbox/chosen/inner`);
    await choose();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('already');
    expect(takeErrors()).toEqual([]);
  });
});

/** Waits until more than this share of the only upload has been sent, and returns the share. */
async function shareAbove(page: Page, share: number): Promise<number> {
  const bar = page.getByRole('progressbar');
  const read = async () => Number(await bar.getAttribute('value'));
  await expect.poll(read, { timeout: 120_000, interval: 100 }).toBeGreaterThan(share);
  return read();
}

/** What the server has of an upload; -1 if it does not know it. */
async function offsetOf(page: Page, address: string): Promise<number> {
  const response = await page.request.head(address, { headers: { 'Tus-Resumable': '1.0.0' } });
  return response.ok() ? Number(response.headers()['upload-offset']) : -1;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Drops a local file or folder on the list, as the system does: the page gets true entries of the file system. */
async function drop(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const box = await page.getByRole('grid').boundingBox();
  const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + 100];
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
}
