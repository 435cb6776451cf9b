import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import type { OperatorsRig } from '../open-operators.ts';

/** The fields that lists are filtered by. */
export function testFilters(rig: () => OperatorsRig): void {
  describe('the filters of a list in the console', () => {
    let job: number;
    beforeAll(async () => {
      [job = 0] = await rig().submit(1);
    });
    const shown = (page: Page) => page.getByRole('link', { name: String(job), exact: true });

    it('filter jobs by a part of a name, in small or capital letters, or by one that is suggested', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      const suggested = () =>
        page.evaluate<string[]>("[...document.querySelectorAll('datalist option')].map(({ value }) => value)");
      await page.getByLabel('Contract').focus();
      await expect.poll(suggested).toContain('invoices');
      await page.getByLabel('Contract').fill('inv');
      await expect.poll(suggested).toEqual(['invoices']);
      await shown(page).waitFor();
      await page.getByLabel('Queue').focus();
      await page.locator('datalist option[value="Default Queue"]').waitFor({ state: 'attached' });
      await page.getByLabel('Contract').fill('"><img>');
      await page.getByText('No job matches the filters.').waitFor();
      await page.getByLabel('Contract').fill('VOICE');
      await page.waitForURL(/contractPart=VOICE/u);
      await shown(page).waitFor();
      await page.getByText('More filters').click();
      for (const [label, part] of [
        ['Queue', 'FAULT'],
        ['Action', 'port'],
        ['Actor', 'cm'],
        ['Submitted by', 'dmi'],
        ['Workflow', 'REPORT'],
      ] as const)
        await page.getByLabel(label, { exact: true }).fill(part);
      await page.waitForURL(/workflowTemplateNamePart=REPORT/u);
      await shown(page).waitFor();
      // Of what a link names, nothing else is found; what is typed then may be a part.
      await page.goto(`${rig().platform.url}/console/jobs?contract=voice`);
      await page.getByText('No job matches the filters.').waitFor();
      expect(await page.getByLabel('Contract').inputValue()).toBe('voice');
      await page.getByLabel('Contract').fill('voic');
      await shown(page).waitFor();
      expect(new URL(page.url()).search).toBe('?contractPart=voic');
      await page.getByText('More filters').click();
      await page.getByLabel('Dataflow instance').fill('part');
      await page.getByText('a part of one finds nothing').waitFor();
      await page.getByLabel('Dataflow instance').fill('');
      // Their jobs are changed like those of any filter.
      await page.getByRole('button', { name: 'Abort', exact: true }).click();
      await page.getByText(/would change/u).waitFor();
      await page.keyboard.press('Escape');
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });
  });
}
