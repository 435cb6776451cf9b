import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareAbove, writeBigFile } from './large/interrupted-upload.ts';
import { limitUploads } from './large/limit-uploads.ts';
import { chooseFiles, fillLogin, openPartners, type PartnersRig } from './partners/open-partners.ts';

/** How long a session of this platform lasts without use: a short time, which the other pages of partners could not have. */
const idleSeconds = 8;

const mebibyte = 1_024 ** 2;

/** Three times as long as a session lasts without use. */
const slowly = { bytesPerSecond: 4 * mebibyte, bytes: 3 * idleSeconds * 4 * mebibyte };

describe('a session of a partner in a browser', () => {
  let rig: PartnersRig;
  beforeAll(async () => {
    rig = await openPartners({ SESSION_IDLE_SECONDS: String(idleSeconds) });
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  it('lasts while an upload runs, then ends unused, and the next login continues what waits', async () => {
    const [long, next] = [
      await writeBigFile(rig, 'long.bin', slowly.bytes),
      await writeBigFile(rig, 'next.bin', slowly.bytes),
    ];
    const { page, takeErrors } = await rig.logIn('/inbox');
    const refused: string[] = [];
    page.on('response', (response) => response.status() === 401 && refused.push(response.url()));
    const again = page.getByText('Your session has ended');
    const limit = await limitUploads(page, slowly.bytesPerSecond);
    const startedAt = performance.now();
    await chooseFiles(page, long);
    await page.getByText('1 of 1 stored').waitFor();
    expect(performance.now() - startedAt).toBeGreaterThan(2_000 * idleSeconds);
    // The session that the upload has kept is good for more.
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name of the folder').fill('after-upload');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'after-upload' }).waitFor();
    expect([await again.count(), refused]).toEqual([0, []]);

    await page.getByRole('button', { name: 'Clear' }).click();
    await chooseFiles(page, next);
    const share = await shareAbove(page, 0.1);
    await page.getByRole('button', { name: 'Pause: next.bin' }).click();
    // The page goes on reading the folder, which does not count as use of the session.
    await again.waitFor();
    await fillLogin(page);
    await page.getByRole('button', { name: 'Resume: next.bin' }).click();
    expect(await shareAbove(page, 0)).toBeGreaterThanOrEqual(share * 0.5);
    await limit(-1);
    await page.getByText('1 of 1 stored').waitFor();
    expect((await rig.sftp('ls -l /inbox/next.bin')).stdout).toContain(String(slowly.bytes));
    expect(takeErrors()).toEqual([]);
  });

  it('lasts while its user does something, however small', async () => {
    const { page, takeErrors } = await rig.logIn('/inbox');
    for (let second = 0; second < 2 * idleSeconds; second += 1) {
      await page.keyboard.press('ArrowDown');
      // Twice as long as the session lasts without use; the page reads its folder every five seconds.
      await delay(1_000);
    }
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'Open sessions' }).waitFor();
    expect(takeErrors()).toEqual([]);
  });
});
