import { startSecondService } from '@waybill/end-to-end/second-service';
import { freePort } from '@waybill/private-datastores/free-port';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillJobs } from '../fill-lists.ts';
import { findAccessViolations, keepScreenshot } from '../open-browser.ts';
import { fillOperatorLogin, type OperatorsRig } from './open-operators.ts';

/** What somebody does is shown to everybody else within this time. */
const shownWithinMs = 2_000;

/** Jobs in the console. */
export function testJobs(rig: () => OperatorsRig): void {
  describe('jobs in the console', () => {
    let first: number;
    let failed: number[];
    beforeAll(async () => {
      first = (await fillJobs(rig().platform, { jobs: 250 })) - 249;
      failed = await rig().submit(4, '/nowhere');
    });

    const reach = async (page: Page, id: number, status: string): Promise<void> => {
      await page
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: String(id), exact: true }) })
        .getByText(status, { exact: true })
        .waitFor();
    };

    it('are filtered by the address, which Reload and Back keep', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await reach(page, failed[0] ?? 0, 'Error');
      await page.getByLabel('Status').selectOption('Error');
      await page.waitForURL(/status=ERROR/u);
      await expect.poll(() => page.getByRole('row').count()).toBe(failed.length + 1);
      await page.getByLabel('Contract').fill('no-such-contract');
      await page.keyboard.press('Enter');
      // A screen reader says it.
      await page.getByRole('status').getByText('No job matches the filters.').waitFor();
      await page.reload();
      await page.getByText('No job matches the filters.').waitFor();
      // Nothing can be changed.
      await page.getByText('Change all that match the filters').waitFor({ state: 'hidden' });
      await page.goBack();
      await expect.poll(() => page.getByRole('row').count()).toBe(failed.length + 1);
      // What is typed applies by itself, what is emptied at once. Back undoes a filter, not each letter.
      await page.getByLabel('Contract').pressSequentially('invoy', { delay: 20 });
      await page.getByText('No job matches the filters.').waitFor();
      await page.getByLabel('Contract').press('Backspace');
      await expect.poll(() => page.getByRole('row').count()).toBe(failed.length + 1);
      await page.goBack();
      await page.waitForURL(
        (url) => !url.searchParams.has('contractPart') && url.searchParams.get('status') === 'ERROR',
      );
      expect(await page.getByLabel('Contract').inputValue()).toBe('');
      await page.getByLabel('Contract').fill('nothing');
      await page.getByText('No job matches the filters.').waitFor();
      await page.getByLabel('Contract').fill('');
      await expect.poll(() => page.getByRole('row').count()).toBe(failed.length + 1);
      await page.getByRole('button', { name: 'Clear all filters' }).click();
      await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(failed.length + 1);
      expect(takeErrors()).toEqual([]);
    });

    it('are read page by page while the list is scrolled, to the first of them', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await page.getByRole('link', { name: String(failed[0]), exact: true }).waitFor();
      await page.locator('.table-rows').focus();
      const oldest = page.getByRole('link', { name: String(first), exact: true });
      await expect
        .poll(async () => {
          await page.keyboard.press('End');
          return oldest.isVisible();
        })
        .toBe(true);
      await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('255');
      expect(takeErrors()).toEqual([]);
    });

    it('show their steps with inputs, error and history', async () => {
      const { page, takeErrors } = await rig().logIn('olga', `/jobs/${failed[0]}`);
      const step = page.getByRole('region', { name: 'Steps' }).getByRole('listitem').first();
      await step.getByText('Failed', { exact: true }).waitFor();
      await step.getByText('/nowhere/', { exact: false }).first().waitFor();
      await page.getByRole('table', { name: 'History' }).getByText('submitted', { exact: true }).waitFor();
      await step.getByText(/^\w+ \d+, \d{4}, \d\d:\d\d:\d\d .+ · \d+ ms$/u).waitFor();
      await keepScreenshot(page, 'console-job');
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    it('are changed after a look at what would change, and the other operator sees it within two seconds', async () => {
      const [one = 0] = failed;
      const olga = await rig().logIn('olga', `/jobs/${one}`);
      const otto = await rig().logIn('otto', '/jobs?contract=invoices');
      await reach(otto.page, one, 'Error');
      await olga.page.getByRole('button', { name: 'Abort', exact: true }).click();
      const dialog = olga.page.getByRole('alertdialog');
      await dialog.getByText('1 job would change.').waitFor();
      expect(await findAccessViolations(olga.page)).toEqual([]);
      await dialog.getByLabel('Why').fill('it is not needed any more');
      await dialog.getByRole('button', { name: 'Abort', exact: true }).click();
      await dialog.getByText('1 job changed.').waitFor();
      const before = Date.now();
      await reach(otto.page, one, 'Aborted');
      expect(Date.now() - before).toBeLessThan(shownWithinMs);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await olga.page.getByText('it is not needed any more').first().waitFor();

      await olga.page.getByRole('button', { name: 'Resubmit', exact: true }).click();
      await dialog.getByText('1 job would change.').waitFor();
      await dialog.getByRole('button', { name: 'Resubmit', exact: true }).click();
      await dialog.getByRole('link', { name: /^New job/u }).click();
      await olga.page.getByText(`Job ${one}`, { exact: true }).waitFor();
      expect([olga.takeErrors(), otto.takeErrors()]).toEqual([[], []]);
    });

    it('are changed in bulk with a result for each, refusals first', async () => {
      const [done = 0] = await rig().submit(1);
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await reach(page, done, 'Completed');
      for (const id of [done, ...failed.slice(1, 3)])
        await page.getByLabel(`Select job ${id}`, { exact: true }).check();
      await page.getByText('3 jobs selected').waitFor();
      await keepScreenshot(page, 'console-jobs');
      await page.getByRole('button', { name: 'Abort', exact: true }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByText('2 jobs would change, 1 would be refused.').waitFor();
      await dialog.getByRole('button', { name: 'Abort', exact: true }).click();
      await dialog.getByText('2 jobs changed, 1 refused.').waitFor();
      expect(await dialog.getByRole('listitem').first().textContent()).toContain(String(done));
      await page.keyboard.press('Escape');

      await page.goto(`${rig().platform.url}/console/jobs?status=ERROR&contract=invoices`);
      await page.getByText('Change all that match the filters').waitFor();
      await page.getByRole('button', { name: 'Resume', exact: true }).click();
      await dialog.getByText(/jobs? would change/u).waitFor();
      await dialog.getByText('At most 10,000 jobs are changed at once, and only those that are listed here').waitFor();
      // Between the look and the change, somebody else aborts one, and a job more fails.
      const bearer = await rig().platform.adminToken();
      const faster = failed.at(-1) ?? 0;
      expect((await rig().platform.http().post(`/job-manager/jobs/${faster}/abort`, { bearer })).status).toBe(200);
      const [late = 0] = await rig().submit(1, '/nowhere');
      const statusOf = async (id: number) =>
        ((await rig().platform.http().get(`/job-manager/jobs/${id}`, { bearer })).json() as { status: string }).status;
      await expect.poll(() => statusOf(late)).toBe('ERROR');
      await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
      await dialog.getByText(/jobs? changed, 1 refused/u).waitFor();
      expect(await dialog.getByRole('listitem').first().textContent()).toContain(`Job ${faster} was changed meanwhile`);
      expect(await dialog.getByRole('link', { name: String(late), exact: true }).count()).toBe(0);
      expect(await statusOf(late)).toBe('ERROR');
      expect(takeErrors()).toEqual([]);
    });

    it('are shown and changed where the job endpoints have a context path', async () => {
      const [id = 0] = await rig().submit(1, '/nowhere');
      const [port, basePath] = [await freePort(), '/files/api-v2'];
      const settings = { PORT: String(port), ROLE: 'api', JOB_MANAGER_BASE_PATH: basePath };
      await using _ = await startSecondService(rig().platform, 'job-manager', settings);
      const { page, takeErrors } = await rig().browser.newPage();
      const called: string[] = [];
      page.on('request', (request) => called.push(new URL(request.url()).pathname));
      await page.goto(`http://127.0.0.1:${port}/console/jobs?status=ERROR`);
      await fillOperatorLogin(page, 'olga');
      await reach(page, id, 'Error');
      await page.getByRole('link', { name: String(id), exact: true }).click();
      await page.getByRole('button', { name: 'Abort', exact: true }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Abort', exact: true }).click();
      await dialog.getByText('1 job changed.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('status').getByText('Aborted', { exact: true }).waitFor();
      expect(called).toContain(`${basePath}/job-manager/jobs/events`);
      expect(called.filter((path) => path.startsWith('/job-manager'))).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    it('shows texts of others as texts', async () => {
      const hostile = '<img src=x onerror=document.title="run">';
      const { page, takeErrors } = await rig().logIn('olga', `/jobs?contract=${encodeURIComponent(hostile)}`);
      await page.getByText('No job matches the filters.').waitFor();
      expect(await page.getByLabel('Contract').inputValue()).toBe(hostile);
      const [id] = await rig().submit(1, `/${hostile}`);
      await page.goto(`${rig().platform.url}/console/jobs?status=ERROR`);
      // It fails a moment later: the newest of those that are shown first may be another one.
      await page.getByRole('link', { name: String(id), exact: true }).click();
      await page.getByText(hostile, { exact: false }).first().waitFor();
      expect(await page.title()).toBe(`Job ${id} · Waybill`);
      expect(takeErrors()).toEqual([]);
    });
  });
}
