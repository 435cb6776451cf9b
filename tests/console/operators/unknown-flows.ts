import { expect, it } from 'vitest';
import type { WatchedPage } from '../open-browser.ts';
import type { OperatorsRig } from './open-operators.ts';

/** Addresses of what does not exist. */
export function testUnknownObjects({
  open,
  rig,
}: {
  /** Opens a page below `/console` as an administrator. */
  readonly open: (address: string) => Promise<WatchedPage>;
  readonly rig: () => OperatorsRig;
}): void {
  it('what does not exist is named in one sentence, without further attempts', async () => {
    const { page, takeErrors } = await open('/');
    for (const [address, sentence] of [
      ['/jobs/999999', 'There is no job 999999.'],
      ['/jobs/abc', 'There is no job abc.'],
      ['/webhooks/999999', 'There is no delivery 999999.'],
      ['/partners/nobody', 'There is no partner nobody.'],
      ['/configuration/queues/none', 'There is no queue none.'],
    ] as const) {
      await page.goto(`${rig().platform.url}/console${address}`);
      await page.getByText(sentence, { exact: true }).waitFor();
      expect(await page.getByRole('alert').count(), address).toBe(1);
      expect(await page.getByText('Loading…').count(), address).toBe(0);
    }
    let asked = 0;
    page.on('request', (request) => {
      if (/job-manager\/jobs\/abc/u.test(request.url())) asked += 1;
    });
    await page.goto(`${rig().platform.url}/console/jobs/abc`);
    await page.getByText('There is no job abc.').waitFor();
    // Longer than the page of a job waits between looks at its steps. The second look is that of the stream of changes, when it begins.
    await page.waitForTimeout(3_000);
    expect(asked).toBeLessThanOrEqual(2);
    await page.goto(`${rig().platform.url}/console/jobs?createdAtFrom=WRONG`);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toBe('Nothing is shown, for this filter is unknown: createdAtFrom=WRONG');
    expect(await page.getByText('Loading…').count()).toBe(0);
    expect(takeErrors()).toEqual([]);
  });
}
