import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import type { OperatorsRig } from '../open-operators.ts';

/** Jobs that are aborted first when they are resubmitted, in the console. */
export function testResubmissions(rig: () => OperatorsRig): void {
  describe('jobs that are resubmitted, in the console', () => {
    const statusOf = async (id: number) => {
      const bearer = await rig().platform.adminToken();
      const answer = await rig().platform.http().get(`/job-manager/jobs/${id}`, { bearer });
      return (answer.json() as { status: string }).status;
    };
    const submitFailing = async (count: number) => {
      const ids = await rig().submit(count, '/nowhere');
      for (const id of ids) await expect.poll(() => statusOf(id)).toBe('ERROR');
      return ids;
    };

    it('a job in error is aborted first, unless the user decides otherwise', async () => {
      const [id = 0] = await submitFailing(1);
      const { page, takeErrors } = await rig().logIn('olga', `/jobs/${id}`);
      await page.getByRole('button', { name: 'Resubmit', exact: true }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByText('1 job would change.').waitFor();
      await dialog.getByText('It would be aborted and resubmitted').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await dialog.getByLabel('Abort first').uncheck();
      await dialog.getByText('0 jobs would change, 1 would be refused.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Resubmit', exact: true }).isDisabled()).toBe(true);
      await dialog.getByLabel('Abort first').check();
      await dialog.getByText('1 job would change.').waitFor();
      await dialog.getByRole('button', { name: 'Resubmit', exact: true }).click();
      await dialog.getByRole('link', { name: /^New job/u }).click();
      await page.getByText(`Job ${id}`, { exact: true }).waitFor();
      expect(await statusOf(id)).toBe('ABORTED');
      expect(takeErrors()).toEqual([]);
    });

    it('in bulk, those in error are resubmitted after "Abort first", and one that has ended is refused then', async () => {
      const [done = 0] = await rig().submit(1);
      const failed = await submitFailing(2);
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      for (const id of [done, ...failed]) await page.getByLabel(`Select job ${id}`, { exact: true }).check();
      await page.getByRole('button', { name: 'Resubmit', exact: true }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByText('1 job would change, 2 would be refused.').waitFor();
      await dialog.getByLabel('Abort first').check();
      await dialog.getByText('2 jobs would change, 1 would be refused.').waitFor();
      expect(await dialog.getByRole('listitem').first().textContent()).toContain(String(done));
      await dialog.getByRole('button', { name: 'Resubmit', exact: true }).click();
      await dialog.getByText('2 jobs changed, 1 refused.').waitFor();
      expect(await dialog.getByRole('link', { name: /^New job/u }).count()).toBe(2);
      expect(await Promise.all([done, ...failed].map(statusOf))).toEqual(['COMPLETED', 'ABORTED', 'ABORTED']);
      expect(takeErrors()).toEqual([]);
    });

    it('in bulk, none is changed where more match than may be changed at once', async () => {
      const [id = 0] = await rig().submit(1);
      const bearer = await rig().platform.adminToken();
      const one = (await rig().platform.http().get(`/job-manager/jobs/${id}`, { bearer })).json();
      const { page, takeErrors } = await rig().logIn('olga', '/jobs?contract=invoices');
      await page.getByText('Change all that match the filters (at most 10,000)').waitFor();
      let looks = 0;
      let counted = 0;
      await page.route('**/job-manager/jobs/bulk', (route) => {
        looks += 1;
        return route.abort();
      });
      const isCount = ({ pathname, searchParams }: URL) =>
        pathname === '/job-manager/jobs' && searchParams.get('maxItems') === '1000';
      await page.route(isCount, async (route) => {
        counted += 1_000;
        const json = { jobs: Array.from({ length: 1_000 }, () => one), next: `/job-manager/jobs?cursor=WzE${counted}` };
        await route.fulfill({ json });
      });
      await page.getByRole('button', { name: 'Abort', exact: true }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByText('More than 10,000 jobs match: none is changed.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Abort', exact: true }).isDisabled()).toBe(true);
      // They are counted: none is looked at, and none is listed as one that would change.
      expect([counted, looks]).toEqual([11_000, 0]);
      expect(await dialog.getByText('would change').count()).toBe(0);
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    it('a suspended job is not offered to be resubmitted, which is refused', async () => {
      const bearer = await rig().platform.adminToken();
      const change = (what: string) =>
        rig().platform.http().post(`/job-manager/queues/Default%20Queue/${what}?reason=test`, { bearer });
      expect((await change('pause')).status).toBe(200);
      try {
        const [id = 0] = await rig().submit(1);
        await expect.poll(() => statusOf(id)).toBe('SUSPENDED');
        const { page, takeErrors } = await rig().logIn('olga', `/jobs/${id}`);
        await page.getByRole('button', { name: 'Abort', exact: true }).waitFor();
        expect(await page.getByRole('button', { name: 'Resubmit', exact: true }).count()).toBe(0);
        expect(takeErrors()).toEqual([]);
      } finally {
        expect((await change('resume')).status).toBe(200);
      }
    });
  });
}
