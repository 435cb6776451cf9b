import { expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import type { OperatorsRig } from '../open-operators.ts';

/** Links to lists with filters. */
export function testWaysBack(rig: () => OperatorsRig): void {
  it('the link above a job leads to the list with the filters that it had, also after a reload', async () => {
    const [failed] = await rig().submit(1, '/nowhere');
    const { page, takeErrors } = await rig().logIn('olga', '/jobs?status=ERROR');
    const openJob = async () => {
      await page.getByRole('link', { name: String(failed), exact: true }).click();
      await page.getByRole('heading', { level: 1 }).getByText(String(failed)).waitFor();
    };
    const goBack = async () => {
      await page.getByRole('main').getByRole('link', { name: 'Jobs', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
      return new URL(page.url()).search;
    };
    await openJob();
    expect(await goBack()).toBe('?status=ERROR');
    expect(await page.getByLabel('Status').inputValue()).toBe('ERROR');
    await openJob();
    await page.reload();
    expect(await goBack()).toBe('?status=ERROR');
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await openJob();
    expect(await goBack()).toBe('');
    expect(takeErrors()).toEqual([]);
  });

  it('the number of failed jobs of an action leads to those that are in error', async () => {
    const [failed] = await rig().submit(1, '/nowhere');
    const { page, takeErrors } = await rig().logIn('olga');
    const lastDay = page.getByRole('group', { name: 'Jobs of the last day' });
    await lastDay
      .getByRole('link', { name: / failed: jobs of / })
      .first()
      .click();
    await page.getByRole('link', { name: String(failed), exact: true }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([...searchParams.keys()]).toEqual(['contract', 'contractAction', 'status', 'updatedAtFrom']);
    expect(Date.now() - Date.parse(searchParams.get('updatedAtFrom') ?? '')).toBeLessThan(26 * 3_600_000);
    expect(await page.getByLabel('Status').inputValue()).toBe('ERROR');
    expect(await page.getByLabel(/^Changed from/u).inputValue()).not.toBe('');
    expect(await findAccessViolations(page)).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });
}
