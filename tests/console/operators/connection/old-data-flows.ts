import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import { checkNarrowPage } from '../../page-checks.ts';
import { openAsAdministrator, type OperatorsRig } from '../open-operators.ts';

const api = '**/{platform-application,job-manager}/**';

/** Nothing is read any more: the network is lost, or the server fails. */
export function testOldData(rig: () => OperatorsRig): void {
  describe('the console that cannot read what it shows again', () => {
    it('says since when and why, once, while the network is lost, and moves nothing', async () => {
      const { page, takeErrors } = await openAsAdministrator(rig(), '/');
      const health = page.getByRole('region', { name: 'Health of the platform' });
      await health.getByText(/As seen by the job manager .* at .*\d\d:\d\d:\d\d/u).waitFor();
      // Parts that were never read would say so themselves.
      await page.getByRole('region', { name: 'Audit log', exact: true }).waitFor();
      await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
      await page.waitForTimeout(2_000);
      const before = await placesOf(page);
      const lostAt = Date.now();
      await page.context().setOffline(true);
      const notice = noticeOf(page);
      await notice.waitFor();
      expect(Date.now() - lostAt).toBeLessThan(10_000);
      const said = (await notice.textContent()) ?? '';
      expect(said).toContain('The server cannot be reached. Check the network connection.');
      const readAt = Date.parse(/last read at (.*?\d{2}:\d{2}:\d{2} \S+)\. /u.exec(said)?.[1] ?? '');
      expect(Math.abs(readAt - lostAt)).toBeLessThan(15_000);
      expect(await placesOf(page)).toEqual(before);
      await health.getByText('Not up to date').waitFor();
      await health.getByText('Up', { exact: true }).first().waitFor();
      const isSteady = await watchNotice(page);
      await page.waitForTimeout(8_000);
      expect(await isSteady()).toBe(true);
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await findAccessViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      await checkNarrowPage(page, 'old');
      expect((await notice.boundingBox())?.height).toBeLessThan(250);
      await page.context().setOffline(false);
      const backAt = Date.now();
      await notice.waitFor({ state: 'detached' });
      await page.getByText('Not up to date').waitFor({ state: 'detached' });
      expect(Date.now() - backAt).toBeLessThan(10_000);
      expect(takeErrors()).toEqual([]);
    });

    it('says so on a page that nothing but a stream keeps up to date', async () => {
      const { page, takeErrors } = await openAsAdministrator(rig(), '/configuration/queues');
      await page.getByRole('table', { name: 'Queues' }).getByRole('row').nth(1).waitFor();
      await page.context().setOffline(true);
      await noticeOf(page).waitFor({ timeout: 10_000 });
      await page.context().setOffline(false);
      await noticeOf(page).waitFor({ state: 'detached', timeout: 10_000 });
      expect(takeErrors()).toEqual([]);
    });

    it('says what the server answers while it fails, but nothing of a single failure', async () => {
      const { page, takeErrors } = await openAsAdministrator(rig(), '/');
      await page.getByText('As seen by the job manager').waitFor();
      await page.waitForTimeout(2_000);
      let isFirst = true;
      await page.route(/\/queues(?:\?|$)/u, (route) => {
        if (!isFirst) return route.fallback();
        isFirst = false;
        return route.abort();
      });
      const isSteady = await watchNotice(page);
      await expect.poll(() => isFirst).toBe(false);
      await page.waitForTimeout(3_000);
      expect([await noticeOf(page).count(), await isSteady()]).toEqual([0, true]);
      const failedAt = Date.now();
      await page.route(api, (route) => route.fulfill({ status: 503, body: 'down' }));
      await noticeOf(page).getByText('The server answered with the status 503.').waitFor();
      expect(Date.now() - failedAt).toBeLessThan(12_000);
      const staysSteady = await watchNotice(page);
      await page.waitForTimeout(8_000);
      expect(await staysSteady()).toBe(true);
      await page.unrouteAll();
      await noticeOf(page).waitFor({ state: 'detached', timeout: 10_000 });
      expect(takeErrors()).toEqual([]);
    });

    it('says in each part of a page that it is being read, and then why it could not be, without a gap', async () => {
      const { page, takeErrors } = await openAsAdministrator(rig(), '/account');
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      await page.route(api, (route) => route.fulfill({ status: 503, body: 'down' }));
      await page.getByRole('link', { name: 'Now', exact: true }).click();
      await page.getByRole('region', { name: 'Login bans' }).waitFor();
      const said = await watchParts(page);
      for (const name of ['Health of the platform', 'Login bans', 'Running transfers', 'Audit log'])
        await page.getByRole('region', { name, exact: true }).getByText('the status 503').waitFor();
      await page.getByRole('region', { name: 'Over time' }).getByText('the status 503').nth(3).waitFor();
      await page.waitForTimeout(12_000);
      const { empty, again } = await said();
      expect(empty).toEqual([]);
      expect(again).toEqual([]);
      await page.unrouteAll();
      await page.getByText('As seen by the job manager').waitFor();
      await page.getByText('the status 503').first().waitFor({ state: 'detached' });
      expect(takeErrors()).toEqual([]);
    });
  });
}

function noticeOf(page: Page) {
  return page.getByRole('status').filter({ hasText: 'What this page shows is not up to date.' });
}

/** Where the headings of the page are. */
function placesOf(page: Page): Promise<unknown[]> {
  return page.evaluate<unknown[]>(`[...document.querySelectorAll('h1, h2')].map((one) => {
    const { x, y } = one.getBoundingClientRect();
    return [one.textContent, Math.round(x), Math.round(y)];
  })`);
}

/** Whether nothing has been said, and nothing taken back, since this was called: what a screen reader would say again. */
async function watchNotice(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(`(() => {
    window.noticeChanges = 0;
    const isSilent = ({ target }) => (target.closest ? target : target.parentElement).closest('[aria-live=off]') !== null;
    new MutationObserver((changes) => window.noticeChanges += changes.filter((one) => !isSilent(one)).length)
      .observe(document.querySelector('.old-notice'), { subtree: true, childList: true, characterData: true });
  })()`);
  return async () => (await page.evaluate<number>('window.noticeChanges')) === 0;
}

/** The parts that were empty at a time, and those that said that they are read after they had said why they could not be. */
async function watchParts(page: Page): Promise<() => Promise<{ empty: string[]; again: string[] }>> {
  await page.evaluate(`(() => {
    const [empty, failed, again] = [new Set(), new Set(), new Set()];
    window.parts = () => ({ empty: [...empty], again: [...again] });
    const look = () => {
      for (const part of document.querySelectorAll('.panel, .charts > p')) {
        const title = part.querySelector('h2')?.textContent ?? 'chart ' + [...part.parentElement.children].indexOf(part);
        const text = part.textContent.replace(title, '').trim();
        if (text === '') empty.add(title);
        if (part.querySelector('.charts') !== null) continue;
        if (text.includes('503')) failed.add(title);
        else if (failed.has(title) && text.includes('Loading')) again.add(title);
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  })()`);
  return () => page.evaluate('window.parts()');
}
