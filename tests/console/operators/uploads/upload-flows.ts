import { waitFor } from '@waybill/test-kit/wait-for';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import { checkNarrowPage, findFaults } from '../../page-checks.ts';
import { pressUntil } from '../keyboard.ts';
import type { OperatorsRig } from '../open-operators.ts';
import { beginUpload } from './begin-upload.ts';

/** Within this time, a list was read again because of what its user did: otherwise it is every ten seconds. */
const readAtOnceMs = 5_000;

/** Unfinished uploads of partners, in the console. */
export function testUnfinishedUploads(rig: () => OperatorsRig): void {
  const begin = (user: string, path: string) => beginUpload(rig().platform, user, path);
  const rowOf = (page: Page, name: string) =>
    page
      .getByRole('table')
      .getByRole('row')
      .filter({ has: page.getByText(name) });

  describe('unfinished uploads, in the console', () => {
    it('have a page with filters in the address, on which an operator deletes some: each with its result', async () => {
      const names = ['first', 'second', 'third'].map((name) => `/inbox/up-${name}`);
      const [first, second, third] = [
        await begin('acme', names[0]!),
        await begin('acme', names[1]!),
        await begin('acme', names[2]!),
      ];
      await begin('globex', '/data/up-other');
      const { page, takeErrors } = await rig().logIn('olga');
      await page.getByRole('link', { name: 'All unfinished uploads, also interrupted ones' }).click();
      await page.getByRole('heading', { name: 'Unfinished uploads', level: 1 }).waitFor();
      await rowOf(page, 'up-other').getByText('3 bytes of 5 bytes').waitFor();
      await page.getByLabel('Partner').fill('acme');
      await page.waitForURL(/\/uploads\?actor=acme/u);
      await rowOf(page, 'up-other').waitFor({ state: 'detached' });
      await page.getByLabel('Path').fill('/inbox');
      await page.waitForURL(/path=%2Finbox/u);
      for (const name of names) await rowOf(page, name).getByText('Interrupted').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.reload();
      for (const name of names.slice(0, 2)) await rowOf(page, name).getByRole('checkbox').check();
      await page.getByText('2 uploads selected').waitFor();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Delete 2 uploads?' });
      await dialog.getByText('What has arrived is deleted').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      // The partner is faster with one of them.
      expect(await second.continue()).toBe(204);
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByText('1 upload deleted, 1 not deleted.').waitFor();
      expect(await dialog.getByRole('listitem').first().textContent()).toContain('There is no unfinished upload');
      expect(await findAccessViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();
      for (const name of names.slice(0, 2))
        await rowOf(page, name).waitFor({ state: 'detached', timeout: readAtOnceMs });
      expect(await page.getByText('2 uploads selected').count()).toBe(0);
      expect([await first.continue(), await third.continue()]).toEqual([404, 204]);
      expect(takeErrors()).toEqual([]);
    });

    it('are deleted all that match, eight at a time, until that is stopped or the dialog is closed', async () => {
      const client = rig().platform.http();
      await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
      expect((await client.put('/2.0/folders/inbox/many')).status).toBe(201);
      const uploads = [];
      for (let count = 0; count < 30; count += 1) uploads.push(await begin('acme', `/inbox/many/up-${count}`));
      const beside = await begin('globex', '/data/up-beside');
      const { page, takeErrors } = await rig().logIn('olga', '/uploads');
      await page.getByRole('table').waitFor();
      expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
      await listTenAtATime(page);
      await page.getByLabel('Path').fill('/inbox/many');
      await page.getByText('All that match the filters (at most 10,000):').waitFor();
      const held = await holdDeletions(page);
      const dialog = page.getByRole('alertdialog', { name: 'Delete all unfinished uploads that match?' });
      const begun = async (count: number) => {
        await page.getByRole('button', { name: 'Delete', exact: true }).click();
        await dialog.getByText(`${count} uploads would be deleted.`).waitFor();
        await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
        await dialog.getByText(`0 of ${count} uploads so far…`).waitFor();
        await waitFor(() => held.waiting() === 8, { what: 'eight requests at the same time' });
        expect(await findAccessViolations(page)).toEqual([]);
      };
      await begun(30);
      // What was sent is answered; nothing else is sent.
      await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
      await held.release();
      await dialog.getByText('8 uploads deleted. Stopped: 22 not reached, which stay as they are.').waitFor();
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await begun(22);
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await held.release();
      await begun(22);
      await held.release();
      await dialog.getByText('8 of 22 uploads so far…').waitFor();
      await waitFor(() => held.waiting() === 8, { what: 'eight more requests at the same time' });
      // The partner is faster with two that were not reached.
      expect([await uploads[0]?.continue(), await uploads[1]?.continue()]).toEqual([204, 204]);
      await held.stop();
      await dialog.getByText('20 uploads deleted, 2 not deleted.').waitFor();
      const [one, other] = await dialog.getByRole('listitem').allTextContents();
      expect(one).toMatch(/up-1 .*There is no unfinished upload/u);
      expect(other).toMatch(/up-0 .*There is no unfinished upload/u);
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByText('No unfinished upload matches the filters.').waitFor({ timeout: readAtOnceMs });
      // What does not match the filters is left alone.
      expect(await beside.continue()).toBe(204);
      expect(takeErrors()).toEqual([]);
    });

    it('are read and deleted at 320 pixels and by keyboard, and show hostile names as texts', async () => {
      const hostile = '/inbox/<img src=x onerror=hasRun=1>\u202Egpj.exe';
      await begin('acme', hostile);
      const { page, takeErrors } = await rig().logIn(
        'olga',
        `/uploads?${new URLSearchParams({ path: hostile }).toString()}`,
        {
          viewport: { width: 320, height: 640 },
        },
      );
      const row = rowOf(page, 'onerror');
      await row.waitFor();
      expect(await findFaults(page)).toEqual([]);
      await checkNarrowPage(page, 'unfinished uploads');
      await pressUntil(page, 'Tab', `at.type === 'checkbox'`);
      await page.keyboard.press('Space');
      await page.getByText('1 upload selected').waitFor();
      await pressUntil(page, 'Shift+Tab', `at.textContent === 'Delete'`);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('alertdialog', { name: 'Delete 1 upload?' });
      await dialog.waitFor();
      expect(await findFaults(page)).toEqual([]);
      await checkNarrowPage(page, 'the deletion of an upload');
      await pressUntil(page, 'Tab', `at.textContent === 'Delete'`);
      await page.keyboard.press('Enter');
      await dialog.getByText('1 upload deleted.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('No unfinished upload matches the filters.').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('of one partner are shown to its operators alone, and nobody is offered what the role does not allow', async () => {
      await begin('acme', '/inbox/up-own');
      await begin('globex', '/data/up-foreign');
      const [lena, una] = [await rig().logIn('lena', '/uploads'), await rig().logIn('una', '/uploads')];
      await rowOf(lena.page, 'up-own').getByRole('checkbox').waitFor();
      expect(await rowOf(lena.page, 'up-foreign').count()).toBe(0);
      for (const name of ['up-own', 'up-foreign']) await rowOf(una.page, name).waitFor();
      expect(await una.page.getByRole('checkbox').count()).toBe(0);
      expect(await una.page.getByRole('link', { name: 'Uploads', exact: true }).count()).toBe(1);
      await una.page.goto(`${rig().platform.url}/console/uploads?path=inbox`);
      const alert = una.page.getByRole('main').getByRole('alert');
      await alert.getByText('path=inbox', { exact: true }).waitFor();
      expect(await una.page.getByRole('table').count()).toBe(0);
      expect([lena.takeErrors(), una.takeErrors()]).toEqual([[], []]);
    });
  });
}

/** Has the uploads that would be deleted found in pages of ten, as if there were thousands. */
async function listTenAtATime(page: Page): Promise<void> {
  await page.route(/\/unfinished-uploads\?.*\bmaxItems=1000\b/u, (route) =>
    route.continue({ url: route.request().url().replace('maxItems=1000', 'maxItems=10') }),
  );
}

/** Keeps requests that delete something from reaching the server. */
async function holdDeletions(page: Page) {
  const held: (() => Promise<void>)[] = [];
  let isHolding = true;
  const pattern = '**/unfinished-uploads/*';
  await page.route(pattern, async (route) => {
    if (isHolding) held.push(() => route.continue());
    else await route.continue();
  });
  const release = async (): Promise<void> => {
    await Promise.all(held.splice(0).map((send) => send()));
  };
  return {
    waiting: () => held.length,
    release,
    stop: async () => {
      isHolding = false;
      await release();
    },
  };
}
