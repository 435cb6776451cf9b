import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations, type WatchedPage } from '../../open-browser.ts';
import { fillOperatorLogin, openAsAdministrator, type OperatorsRig } from '../open-operators.ts';

const jobsCode = '**/assets/jobs-page-*.js';

/** The code of a page does not arrive: the network was lost, or an update of the server has removed it. */
export function testLostCode(rig: () => OperatorsRig): void {
  describe('a page of the console whose code does not arrive', () => {
    it('is there by itself when the network is back, after the page was loaded again once', async () => {
      const watched = await openAsAdministrator(rig(), '/');
      const { page } = watched;
      const loads = countLoads(page);
      await page.context().setOffline(true);
      await openJobs(page);
      await page.getByText('It is loaded as soon as the server answers again.').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.waitForTimeout(3_000);
      expect(loads()).toBe(0);
      await page.context().setOffline(false);
      await page.getByRole('table', { name: 'Jobs, newest first' }).waitFor();
      expect([loads(), new URL(page.url()).pathname]).toEqual([1, '/console/jobs']);
      // The next time, too.
      await page.route('**/assets/approvals-page-*.js', (route) => route.abort());
      await page.getByRole('link', { name: 'Approvals', exact: true }).click();
      await page.getByText('did not send this page, again').waitFor();
      expect(loads()).toBe(2);
      takeLoadErrors(watched);
    });

    it('is not loaded again and again if it is gone for good, and other pages go on', async () => {
      const watched = await openAsAdministrator(rig(), '/');
      const { page } = watched;
      const loads = countLoads(page);
      await page.route(jobsCode, (route) => route.fulfill({ status: 404 }));
      await openJobs(page);
      await page.getByText('did not send this page, again').waitFor();
      await page.waitForTimeout(6_000);
      expect(loads()).toBe(1);
      expect(await findAccessViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Now', exact: true }).click();
      await page.getByText('As seen by the job manager').waitFor();
      await openJobs(page);
      await page.unroute(jobsCode);
      await page.getByRole('table', { name: 'Jobs, newest first' }).waitFor();
      takeLoadErrors(watched);
    });

    it('is not taken for lost if it arrives and fails: the fault is shown, and nothing is loaded again', async () => {
      const watched = await openAsAdministrator(rig(), '/');
      const { page } = watched;
      const loads = countLoads(page);
      const body = `throw new TypeError('A fault of the page');`;
      await page.route(jobsCode, (route) => route.fulfill({ contentType: 'text/javascript', body }));
      await openJobs(page);
      await page.getByText('A fault of the page').waitFor();
      await page.waitForTimeout(4_000);
      expect(loads()).toBe(0);
      expect(await findAccessViolations(page)).toEqual([]);
      expect(watched.takeErrors().filter((error) => !error.includes('A fault of the page'))).toEqual([]);
    });

    it('is loaded again with its button alone where the browser keeps nothing', async () => {
      const watched = await openAsAdministrator(rig(), '/');
      const { page } = watched;
      await page.evaluate(`Storage.prototype.getItem = () => { throw new DOMException('denied', 'SecurityError'); }`);
      const loads = countLoads(page);
      await page.route(jobsCode, (route) => route.abort());
      await openJobs(page);
      await page.getByText('did not send this page').waitFor();
      await page.waitForTimeout(4_000);
      expect(loads()).toBe(0);
      await page.unroute(jobsCode);
      await page.getByRole('button', { name: 'Load the page again', exact: true }).click();
      await page.getByRole('table', { name: 'Jobs, newest first' }).waitFor();
      takeLoadErrors(watched);
    });

    it('waits for what is typed in a dialog', async () => {
      const watched = await rig().logIn('olga', '/');
      const { page } = watched;
      const loads = countLoads(page);
      await page.context().setOffline(true);
      await openJobs(page);
      await page.getByText('It is loaded as soon as the server answers again.').waitFor();
      await page.evaluate(`new BroadcastChannel('waybill-tokens').postMessage({ kind: 'tokens' })`);
      await page.getByRole('dialog').getByText('Your session has ended').waitFor();
      await page.context().setOffline(false);
      await page.waitForTimeout(5_000);
      expect(loads()).toBe(0);
      await fillOperatorLogin(page, 'olga');
      await page.getByRole('table', { name: 'Jobs, newest first' }).waitFor();
      expect(loads()).toBe(1);
      takeLoadErrors(watched);
    });

    it('leaves a draft alone if it is a part beside it', async () => {
      const watched = await openAsAdministrator(rig(), '/');
      const { page } = watched;
      const asked: string[] = [];
      page.on('dialog', (dialog) => {
        asked.push(dialog.type());
        void dialog.dismiss();
      });
      const loads = countLoads(page);
      await page.route('**/assets/settings-assist-*.js', (route) => route.abort());
      await page.goto(`${rig().platform.url}/console/configuration/queues?new=yes`);
      const part = page.getByRole('alert').filter({ hasText: 'did not send this part of the page' });
      await part.waitFor();
      const settings = page.getByLabel('Settings', { exact: true });
      await settings.fill('name: lost-assist\n');
      await page.waitForTimeout(4_000);
      expect(loads()).toBe(1);
      expect(await findAccessViolations(page)).toEqual([]);
      await part.getByRole('button', { name: 'Load the page again', exact: true }).click();
      await expect.poll(() => asked).toEqual(['beforeunload']);
      expect(await settings.inputValue()).toBe('name: lost-assist\n');
      takeLoadErrors(watched);
    });
  });
}

function openJobs(page: Page): Promise<void> {
  return page.getByRole('link', { name: 'Jobs', exact: true }).click();
}

/** How often the page was loaded since. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  return () => loads;
}

/** The browser tells each module that did not arrive, and React each that it has shown instead of a page. */
function takeLoadErrors({ takeErrors }: WatchedPage): void {
  const expected = /PageNotLoaded|Failed to fetch dynamically imported module|Failed to load module script/u;
  expect(takeErrors().filter((error) => !expected.test(error))).toEqual([]);
}
