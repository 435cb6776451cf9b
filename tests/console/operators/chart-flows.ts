import { expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { sendLogin } from '../send-login.ts';
import type { OperatorsRig } from './open-operators.ts';

/** The charts and the last day of the page Now, on a platform where jobs have failed. */
export function testCharts(rig: () => OperatorsRig): void {
  it('now, the console shows failures of the last day, and to auditors the audit log with charts', async () => {
    const { page, takeErrors } = await rig().browser.newPage();
    await page.goto(`${rig().platform.url}/console/`);
    await sendLogin(page, 'admin', 'admin-demo');
    const lastDay = page.getByRole('group', { name: 'Jobs of the last day' });
    await lastDay.getByRole('link', { name: /^\d+$/u }).waitFor();
    // Its age, and when it was.
    await lastDay.getByRole('cell', { name: /^\d+ \d+ (?:s|min|h \d+ min) ago \w+ \d\d, \d{4}/u }).waitFor();
    await page.getByText('No witness has signed a checkpoint.').waitFor();
    for (const [span, query] of [
      ['Last 7 days', '?span=week'],
      ['Last hour', '?span=hour'],
      ['Last 24 hours', ''],
    ] as const) {
      await page.getByLabel(span).check();
      await expect.poll(() => new URL(page.url()).search).toBe(query);
      await page.reload();
      await expect.poll(() => page.getByLabel(span).isChecked()).toBe(true);
      await page.getByText(/^Logins refused: \d+$/u).waitFor();
      for (const direction of ['uploaded', 'downloaded'])
        await page.getByText(new RegExp(`^Bytes ${direction}: [\\d.,]+ (bytes|KiB|MiB)$`, 'u')).waitFor();
    }
    await page.getByText(/^Run time of jobs, 95 %: at most [\d.]+ s$/u).waitFor();
    // The highest figure, the scale from zero, and the axis of time are texts of the chart.
    const chart = page.getByRole('figure').filter({ hasText: 'Run time of jobs, 95 %' });
    await chart.getByText(/^Highest: [\d.]+ s \(\w+ \d+, \d\d:\d\d .+\)$/u).waitFor();
    expect(await chart.locator('.scale span').last().textContent()).toBe('0 s');
    expect(await chart.locator('.axis span').allTextContents()).toEqual([
      expect.stringMatching(/^\d\d:\d\d$/u),
      expect.stringMatching(/^\d\d:\d\d$/u),
      expect.stringMatching(/^\d\d:\d\d$/u),
    ]);
    await page.getByLabel('As a table: Logins refused').click();
    await expect
      .poll(() => page.getByRole('table').filter({ hasText: 'Logins refused' }).getByRole('row').count())
      .toBe(25);
    await page.getByLabel('As a table: Logins refused').click();
    expect(await findAccessViolations(page)).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });

  it('now, the console leaves nothing in the audit log while it is open', async () => {
    const { page, takeErrors } = await rig().browser.newPage();
    await page.goto(`${rig().platform.url}/console/`);
    await sendLogin(page, 'admin', 'admin-demo');
    await page.getByText(/^Logins refused: \d+$/u).waitFor();
    await page.getByText('No witness has signed a checkpoint.').waitFor();
    const bearer = await rig().platform.adminToken();
    const readingsSince = async (begun: string): Promise<string[]> => {
      const query = { page: 0, limit: 100, q: `{fromAuditTime="${begun}"}` };
      const address = '/platform-application/api/v1/audit/logs';
      const answer = await rig().platform.http().get(address, { bearer, query });
      const codes = (answer.json() as { auditCode: string }[]).map(({ auditCode }) => auditCode);
      return codes.filter((code) => ['AUD0014A', 'AUD0016A', 'AUD0117A', 'AUD0120A'].includes(code));
    };
    const asked = new Date().toISOString();
    await readingsSince(asked);
    // This reading is recorded itself.
    await expect.poll(() => readingsSince(asked)).toContain('AUD0117A');
    // Until what has been read so far is recorded.
    await page.waitForTimeout(3_000);
    const begun = new Date().toISOString();
    // Longer than all panels but the charts wait until they read again.
    await page.waitForTimeout(12_000);
    expect(await readingsSince(begun)).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });
}
