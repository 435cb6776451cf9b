import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillAuditRecords, fillJobs } from '../fill-lists.ts';
import type { WatchedPage } from '../open-browser.ts';
import { openAsAdministrator } from '../operators/open-operators.ts';
import type { PartnersRig } from '../partners/open-partners.ts';
import { costsOfTasks, leastScrollCosts } from './scroll-costs.ts';
import { leastTime, openSlowly, timeUntilUsable, usableWithinMs } from './usable-in-time.ts';

/** With `LIST_ROWS=100000` all rows of lists of this length are read; fewer are enough for every run of the tests. */
const rows = Number(process.env['LIST_ROWS'] ?? '10000');

const changes = 20_000;

/** A longer one is felt. */
const longestTaskAtMostMs = 100;

/** Rows of a list that are in the page at most: those in sight, and some around them. */
const rowsInPageAtMost = 60;

/** Lists of the operators' console that are longer than any page can hold. */
export function testLongLists(rig: () => PartnersRig): void {
  describe('long lists of operators in a browser', () => {
    let job: number;
    beforeAll(async () => {
      job = await fillJobs(rig().platform, { jobs: rows, oneFailedOf: 50, changes });
      await fillAuditRecords(rig().platform, rows);
    }, 180_000);

    const open = (address: string): Promise<WatchedPage> => openAsAdministrator(rig(), address);

    it.each([
      ['jobs', '/jobs', 'Jobs, newest first'],
      ['audit records', '/audit', 'Audit records, newest first'],
    ])(
      'shows thousands of %s without a task of more than 100 ms',
      { timeout: 1_800_000 },
      async (_, address, label) => {
        const { page, takeErrors } = await open(address);
        await page.getByRole('table', { name: label }).getByRole('row').nth(10).waitFor();
        const { longestTaskMs } = await costsOfTasks(page, async () => {
          while ((await countOf(page, label)) === -1) await readOn(page);
        });
        expect(await countOf(page, label)).toBeGreaterThan(rows);
        expect(longestTaskMs).toBeLessThanOrEqual(longestTaskAtMostMs);
        const back = await leastScrollCosts(page, { rows: '.table-rows', enoughMs: longestTaskAtMostMs });
        expect(back.tasks).toBeGreaterThan(240);
        expect(back.longestTaskMs).toBeLessThanOrEqual(longestTaskAtMostMs);
        expect(await page.getByRole('row').count()).toBeLessThanOrEqual(rowsInPageAtMost);
        expect(takeErrors()).toEqual([]);
      },
    );

    it('shows the 20 000 changes of a job without a task of more than 100 ms', async () => {
      const { page, takeErrors } = await open('/jobs');
      const shown = await costsOfTasks(page, async () => {
        await page.goto(`${rig().platform.url}/console/jobs/${job}`);
        await page.getByRole('table', { name: 'History' }).getByText(`Change ${changes}`, { exact: true }).waitFor();
        await page.waitForTimeout(3_000);
      });
      const scrolled = await leastScrollCosts(page, { rows: '.history .table-rows', enoughMs: longestTaskAtMostMs });
      expect(shown.longestTaskMs).toBeLessThanOrEqual(longestTaskAtMostMs);
      expect(scrolled.longestTaskMs).toBeLessThanOrEqual(longestTaskAtMostMs);
      expect(await page.getByRole('row').count()).toBeLessThanOrEqual(rowsInPageAtMost);
      expect(takeErrors()).toEqual([]);
    });

    it('opens its pages within 1.5 s of a slow processor', async () => {
      const { browser, platform } = rig();
      const login = { selector: 'input[autocomplete=username]' };
      const openLogin = async () => timeUntilUsable((await browser.newPage()).page, `${platform.url}/console/`, login);
      expect(await leastTime(openLogin)).toBeLessThanOrEqual(usableWithinMs);
      const { page, takeErrors } = await open('/configuration');
      for (const [path, sight] of [
        ['/', { selector: 'a', text: 'Default Queue' }],
        ['/jobs', { selector: '[role=row]', atLeast: 11 }],
        [`/jobs/${job}`, { selector: '[role=row]', text: `Change ${changes}` }],
        ['/audit', { selector: '[role=row]', atLeast: 11 }],
        ['/configuration', { selector: 'a', text: 'Queues' }],
      ] as const) {
        const address = `${platform.url}/console${path}`;
        const spent = await leastTime(() => timeUntilUsable(page, address, sight));
        expect(spent, path).toBeLessThanOrEqual(usableWithinMs);
        await openSlowly(page, address, sight);
      }
      expect(takeErrors()).toEqual([]);
    });
  });
}

/** Scrolls to the last row that is known, again and again. */
async function readOn(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const rows = document.querySelector('.table-rows');
    const frame = () => new Promise((shown) => requestAnimationFrame(shown));
    for (let step = 0; step < 100; step += 1) {
      rows.scrollTop = rows.scrollHeight;
      await frame();
    }
  })()`);
}

/** The rows of a list, with its head; -1 while others follow. */
async function countOf(page: Page, label: string): Promise<number> {
  return Number(await page.getByRole('table', { name: label }).getAttribute('aria-rowcount'));
}
