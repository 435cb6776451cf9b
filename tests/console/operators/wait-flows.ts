import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findAccessViolations, keepScreenshot } from '../open-browser.ts';
import { checkNarrowPage } from '../page-checks.ts';
import { pressUntil } from './keyboard.ts';
import type { OperatorsRig } from './open-operators.ts';
import { deliveryOf, prepareWaits, start } from './waits/prepare-waits.ts';

const narrow = { viewport: { width: 320, height: 640 } };
const hostile = '<img src=x onerror=document.title="run">';

/** What waits for operators in the console: approvals, and deliveries that have failed. */
export function testWaits(rig: () => OperatorsRig): void {
  let configured: Promise<void> | undefined;
  const beConfigured = () => (configured ??= prepareWaits(rig()));

  describe('approvals in the console', () => {
    beforeAll(beConfigured);

    const row = (page: Page, job: number) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name: String(job), exact: true }) });

    it('are given with the keyboard alone, with a comment, which the step has; the others see it within two seconds', async () => {
      const job = await start(rig(), 'ask', hostile);
      const address = `/approvals?contract=checks&job=${job}`;
      const [olga, otto, una] = [
        await rig().logIn('olga', address),
        await rig().logIn('otto', address),
        await rig().logIn('una', address),
      ];
      for (const { page } of [olga, otto, una]) await row(page, job).getByText(hostile).waitFor();
      expect(
        await row(una.page, job)
          .getByRole('button', { name: /^(Approve|Reject)/u })
          .count(),
      ).toBe(0);
      // What has no room in its column is shown as a whole, without a mouse.
      for (const text of [`Send ${hostile}?`, 'Decided by role:Operators']) {
        await pressUntil(una.page, 'Tab', `at.textContent === ${JSON.stringify(text)}`);
        await una.page.keyboard.press('Enter');
        await una.page.getByRole('dialog').getByText(text, { exact: true }).waitFor();
        await una.page.keyboard.press('Escape');
        await una.page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await pressUntil(olga.page, 'Tab', `at.getAttribute('aria-label') === 'Approve job ${job}'`);
      await olga.page.keyboard.press('Enter');
      await olga.page.getByRole('dialog').getByText('role:Operators').waitFor();
      await olga.page.locator('[role=dialog] input:focus').waitFor();
      expect(await findAccessViolations(olga.page)).toEqual([]);
      await olga.page.keyboard.type('seen and checked');
      await olga.page.keyboard.press('Enter');
      await olga.page.getByText(`Job ${job} is approved.`).waitFor();
      const before = Date.now();
      for (const { page } of [otto, una])
        await page.getByText('No job waits for an approval that matches the filters.').waitFor();
      expect(Date.now() - before).toBeLessThan(2_000);
      await olga.page.goto(`${rig().platform.url}/console/jobs/${job}`);
      const steps = olga.page.getByRole('region', { name: 'Steps' });
      // Among the outputs of the step, which are shown when they are opened.
      await steps.getByText('seen and checked').first().waitFor({ state: 'attached' });
      expect([olga, otto, una].flatMap(({ takeErrors }) => takeErrors())).toEqual([]);
    });

    it('show the steps of their job that have not started', async () => {
      const job = await start(rig(), 'ask');
      const { page, takeErrors } = await rig().logIn('olga', `/jobs/${job}`);
      const steps = page.getByRole('region', { name: 'Steps' }).getByRole('listitem');
      await steps.filter({ hasText: 'four-eyes' }).getByText('Waiting', { exact: true }).waitFor();
      await steps.filter({ hasText: 'note log · on a condition' }).getByText('Not started').waitFor();
      await steps.filter({ hasText: 'last log · at the end' }).getByText('Not started').waitFor();
      expect(await steps.count()).toBe(3);
      await page.getByText('Submitted on demand').waitFor();
      expect(await page.getByRole('link', { name: 'The story of its file' }).count()).toBe(0);
      await page.getByRole('main').getByRole('link', { name: 'Jobs', exact: true }).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Abort', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Abort', exact: true }).click();
      await steps.filter({ hasText: 'note' }).getByText('Not run').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('say it, until the dialog is closed, when somebody else has decided before', async () => {
      const job = await start(rig(), 'ask', 'the totals');
      const [olga, otto] = [await rig().logIn('olga', '/approvals'), await rig().logIn('otto', '/approvals')];
      await row(olga.page, job).getByText('Send the totals?', { exact: true }).waitFor();
      await keepScreenshot(olga.page, 'console-approvals');
      for (const { page } of [olga, otto]) await page.getByRole('button', { name: `Reject job ${job}` }).click();
      for (const { page } of [olga, otto]) await page.getByRole('alertdialog').getByText('the totals').waitFor();
      await olga.page.getByRole('alertdialog').getByRole('button', { name: 'Reject' }).click();
      await olga.page.getByText(`Job ${job} is rejected.`).waitFor();
      const before = Date.now();
      const dialog = otto.page.getByRole('alertdialog');
      await dialog.getByRole('alert').getByText('somebody else has decided').waitFor();
      await row(otto.page, job).waitFor({ state: 'detached' });
      expect(Date.now() - before).toBeLessThan(2_000);
      expect(await dialog.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
      expect(await findAccessViolations(otto.page)).toEqual([]);
      await otto.page.keyboard.press('Escape');
      await otto.page.getByRole('alertdialog').waitFor({ state: 'detached' });
      expect([olga, otto].flatMap(({ takeErrors }) => takeErrors())).toEqual([]);
    });
  });

  describe('webhooks in the console', () => {
    let deliveries: readonly string[];
    beforeAll(async () => {
      await beConfigured();
      const jobs = [await start(rig(), 'hook'), await start(rig(), 'hook'), await start(rig(), 'large')];
      deliveries = await Promise.all(jobs.map((job) => deliveryOf(rig(), job)));
    });

    it('are filtered by the address, and replayed in bulk with a result for each, refusals first', async () => {
      const [one = '', other = '', large = ''] = deliveries;
      const { page, takeErrors } = await rig().logIn('olga', '/webhooks?outcome=delivered');
      await page.getByText('No delivery matches the filters.').waitFor();
      await page.getByLabel('Outcome').selectOption('Failed');
      await page.waitForURL(/outcome=failed/u);
      for (const id of [one, other, large]) await page.getByLabel(`Select delivery ${id}`, { exact: true }).check();
      await page.getByText('3 deliveries selected').waitFor();
      await keepScreenshot(page, 'console-webhooks');
      expect(await findAccessViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Replay' }).click();
      const dialog = page.getByRole('alertdialog');
      const asked = dialog.getByRole('list', { name: 'Deliveries that are replayed' }).getByRole('listitem');
      for (const id of [one, other, large])
        await asked
          .filter({ hasText: new RegExp(`^${id} `, 'u') })
          .getByText(/hooks, job \d+: Failed.*has no signingKey/u)
          .waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Replay' }).click();
      await dialog.getByText('2 deliveries replayed, 1 refused.').waitFor();
      const results = dialog.getByRole('listitem');
      expect(await results.first().textContent()).toContain(large);
      // A worker tries again, and fails again.
      for (const id of [one, other])
        await results
          .filter({ hasText: new RegExp(`^${id} `, 'u') })
          .getByText('Failed')
          .waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await results
        .filter({ hasText: new RegExp(`^${one} `, 'u') })
        .getByRole('link', { name: /^replayed as/u })
        .click();
      await page.getByText('Replay of', { exact: true }).waitFor();
      await page.getByRole('region', { name: 'Body' }).getByText('"type":"test"').waitFor();
      await page.getByText('The request is not valid (connection: hooks has no signingKey').waitFor();
      await page.getByRole('link', { name: 'hooks', exact: true }).click();
      await page.getByRole('row').filter({ hasText: 'hooks' }).first().waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('are replayed all at once where they match filters, each webhook once', async () => {
      const [one = '', , large = ''] = deliveries;
      const { page, takeErrors } = await rig().logIn('olga', '/webhooks?outcome=delivered');
      const ask = page.getByRole('button', { name: 'Replay' });
      const dialog = page.getByRole('alertdialog');
      await ask.click();
      await dialog.getByText('No delivery matches the filters.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      // Attempts of the test before are deliveries of the same three webhooks.
      await page.getByLabel('Outcome').selectOption('Failed');
      await page.waitForURL(/outcome=failed/u);
      await page.getByLabel(`Select delivery ${one}`, { exact: true }).waitFor();
      await ask.click();
      await dialog.getByText('Replay 3 deliveries?').waitFor();
      await dialog.getByRole('button', { name: 'Replay' }).click();
      await dialog.getByText('2 deliveries replayed, 1 refused.').waitFor();
      expect(await dialog.getByRole('listitem').first().textContent()).toContain(large);
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    it('show a replay by another operator within two seconds, on the page of the delivery and in the list', async () => {
      const [, other = ''] = deliveries;
      const olga = await rig().logIn('olga', `/webhooks/${other}`);
      const otto = await rig().logIn('otto', `/webhooks/${other}`);
      const list = await rig().logIn('otto', '/webhooks');
      const replays = otto.page.getByRole('region', { name: 'Replays' });
      await replays.waitFor();
      const before = await replays.getByRole('listitem').count();
      await list.page.getByLabel(`Select delivery ${other}`, { exact: true }).check();
      await list.page.getByRole('button', { name: 'Replay' }).click();
      const waiting = list.page
        .getByRole('alertdialog')
        .getByRole('status')
        .filter({ hasText: 'Replayed already, last' });
      await list.page
        .getByRole('alertdialog')
        .getByText(/hooks, job \d+/u)
        .waitFor();
      const said = await waiting.allTextContents();
      await olga.page.getByRole('button', { name: 'Replay' }).click();
      const dialog = olga.page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Replay' }).click();
      const asked = Date.now();
      await replays.getByRole('listitem').nth(before).waitFor();
      // A dialog that is open says so, too: the receiver would get it twice.
      await expect.poll(() => waiting.allTextContents(), { timeout: 2_000 }).not.toEqual(said);
      expect(Date.now() - asked).toBeLessThan(2_000);
      await list.page.getByRole('button', { name: 'Close' }).click();
      const [replay = ''] = /\d+/u.exec((await replays.getByRole('listitem').first().textContent()) ?? '') ?? [];
      await replays.getByRole('listitem').first().getByText('Failed').waitFor();
      const carriedOut = Date.now();
      await list.page.getByLabel(`Select delivery ${replay}`, { exact: true }).waitFor();
      expect(Date.now() - carriedOut).toBeLessThan(2_000);
      expect(await findAccessViolations(otto.page)).toEqual([]);
      expect([olga, otto, list].flatMap(({ takeErrors }) => takeErrors())).toEqual([]);
    });

    it('are usable at 320 pixels, as are approvals, and without the buttons by who may not use them', async () => {
      const job = await start(rig(), 'ask', 'a '.repeat(200));
      const { page, takeErrors } = await rig().logIn('olga', '/approvals', narrow);
      await page.getByRole('button', { name: `Approve job ${job}` }).click();
      await checkNarrowPage(page, 'decision');
      await page.keyboard.press('Escape');
      await checkNarrowPage(page, 'approvals');
      await page.goto(`${rig().platform.url}/console/webhooks`);
      // A job may have the same number as the delivery, and replays name it.
      const [id = ''] = deliveries;
      const row = page.getByRole('row').filter({ has: page.getByLabel(`Select delivery ${id}`, { exact: true }) });
      const delivery = row.locator(`a[href$='/webhooks/${id}']`);
      await delivery.click();
      await page.getByRole('button', { name: 'Replay' }).waitFor();
      await checkNarrowPage(page, 'delivery');
      await page.goBack();
      await delivery.waitFor();
      await checkNarrowPage(page, 'webhooks');
      const una = await rig().logIn('una', `/webhooks/${deliveries[0] ?? ''}`);
      await una.page.getByRole('status').getByText('Failed', { exact: true }).waitFor();
      expect(await una.page.getByRole('button', { name: 'Replay' }).count()).toBe(0);
      expect([...takeErrors(), ...una.takeErrors()]).toEqual([]);
    });
  });
}
