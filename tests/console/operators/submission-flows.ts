import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { checkNarrowPage } from '../page-checks.ts';
import type { OperatorsRig } from './open-operators.ts';

/** Submitting jobs in the console. */
export function testSubmissions(rig: () => OperatorsRig): void {
  describe('jobs are submitted in the console', () => {
    it('for an action and with inputs, after a dry run, once for an identifier', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await page.getByRole('link', { name: 'Submit a job' }).click();
      await page.getByLabel('Contract').selectOption('invoices');
      // Files start the other action of the contract.
      expect(await page.getByLabel('Action').locator('option').allTextContents()).toEqual(['Choose', 'write-report']);
      await page.getByLabel('Action').selectOption('write-report');
      await page.waitForURL(/contract=invoices&action=write-report/u);
      await page.reload();
      await page.getByText('folder: /outbox').waitFor();
      const inputs = page.getByLabel('Inputs, in YAML or JSON');
      await inputs.fill('- not by name');
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByText('The inputs are names with values').waitFor();
      const name = `<b>report ${Date.now()}`;
      await inputs.fill(`name: '${name}'\ntext: All invoices are in.`);
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByText('Completed, of revision 1').waitFor();
      await page.getByText(`/outbox/${name}.txt`).first().waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await findAccessViolations(page)).toEqual([]);
      const identifier = `console-\u05d0-${Date.now()}`;
      const numbers: (string | null)[] = [];
      for (let time = 0; time < 2; time += 1) {
        await page.getByLabel('External identifier').fill(identifier);
        await page.getByRole('button', { name: 'Submit', exact: true }).click();
        const link = page.getByRole('status').getByRole('link', { name: /^Job \d+$/u });
        await link.waitFor();
        numbers.push(await link.getAttribute('href'));
        await expect.poll(() => page.getByLabel('External identifier').inputValue()).not.toBe(identifier);
      }
      // The second submission has found the job of the first.
      expect(numbers[0]).toBe(numbers[1]);
      await page.setViewportSize({ width: 320, height: 750 });
      await checkNarrowPage(page, 'submission');
      await page.getByRole('status').getByRole('link').click();
      await page.getByText('Completed').first().waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('not by ordinary users, and not for what does not exist', async () => {
      const { page, takeErrors } = await rig().logIn('una', '/jobs');
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      expect(await page.getByRole('link', { name: 'Submit a job' }).count()).toBe(0);
      await page.goto(`${rig().platform.url}/console/job-submission`);
      await page.getByText('Your roles do not allow what it shows.').waitFor();
      const refused = await rig().logIn('olga', '/job-submission?contract=nothing%22%3E&action=%3Cimg%20src=x%3E');
      await refused.page.getByRole('button', { name: 'Submit', exact: true }).click();
      await refused.page.getByRole('alert').getByText('nothing">').waitFor();
      expect([...takeErrors(), ...refused.takeErrors()]).toEqual([]);
    });
  });
}
