import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import { findSpoiledPlaces } from '../../page-checks.ts';
import { openAsAdministrator, type OperatorsRig } from '../open-operators.ts';

/** Addresses with a filter that cannot be, below `/console`, and the list that would be shown without it. */
const faulty = [
  ['/jobs', 'status', 'BOGUS'],
  ['/jobs', 'id', 'first'],
  ['/jobs', 'createdAtFrom', 'yesterday'],
  ['/audit', 'fromAuditTime', 'nonsense'],
  ['/webhooks', 'outcome', '<img src=x onerror=hasRun=1>'],
  ['/approvals', 'mayDecide', 'perhaps'],
  ['/uploads', 'path', '/../<img src=x onerror=hasRun=1>'],
] as const;

/** Filters of lists in the console. */
export function testListFilters(rig: () => OperatorsRig): void {
  describe('filters of lists, in the console', () => {
    it.each(faulty)('%s?%s=%s shows nothing, says which filter is unknown, and offers no change', async (...one) => {
      const [list, name, value] = one;
      await rig().submit(1);
      const address = `${list}?${new URLSearchParams({ [name]: value }).toString()}`;
      const { page, takeErrors } = await openAsAdministrator(rig(), address);
      const alert = page.getByRole('main').getByRole('alert');
      await alert.getByText(`${name}=${value}`, { exact: true }).waitFor();
      expect(await alert.textContent()).toContain('Nothing is shown, for this filter is unknown:');
      expect(await page.getByRole('table').count()).toBe(0);
      for (const button of ['Abort', 'Resume', 'Resubmit', 'Replay', 'NDJSON', 'Erase personal values'])
        expect(await page.getByRole('button', { name: button }).count(), button).toBe(0);
      expect([await findSpoiledPlaces(page), await findAccessViolations(page)]).toEqual([[], []]);
      expect(takeErrors()).toEqual([]);
    });

    it('an unknown status is shown as the choice, and another one shows jobs again', async () => {
      await rig().submit(1);
      const { page, takeErrors } = await rig().logIn('olga', '/jobs?status=BOGUS');
      await page.getByText('status=BOGUS').waitFor();
      expect(await page.getByLabel('Status').inputValue()).toBe('BOGUS');
      await page.getByLabel('Status').selectOption('Completed');
      await page.getByRole('table').getByRole('link').first().waitFor();
      await page.getByText('Change all that match the filters').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('a job is found by its number', async () => {
      const [id = 0, other = 0] = await rig().submit(2);
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await page.getByRole('link', { name: String(other), exact: true }).waitFor();
      await page.getByLabel('Number').fill(String(id));
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await page.getByRole('link', { name: String(id), exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get('id')).toBe(String(id));
      await page.getByLabel('Number').fill('999999999');
      await page.getByText('No job matches the filters.').waitFor();
      expect(takeErrors()).toEqual([]);
    });
  });
}
