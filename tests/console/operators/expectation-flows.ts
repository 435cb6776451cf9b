import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { findHiddenActions } from '../page-checks.ts';
import type { OperatorsRig } from './open-operators.ts';

/** Files that are due, or come although they are not, in the console. */
export function testExpectations(rig: () => OperatorsRig): void {
  describe('expected files, in the console', () => {
    it('shows an unexpected file until an operator acknowledges it with a reason, and offers that to no ordinary user', async () => {
      const client = rig().platform.http();
      await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
      const headers = { cookie: client.cookies.header() ?? '', 'content-type': 'application/octet-stream' };
      const { url } = rig().platform;
      await fetch(`${url}/2.0/files/inbox/early.due`, { method: 'PUT', headers, body: 'early' });
      const [olga, una] = [await rig().logIn('olga'), await rig().logIn('una')];
      const row = (page: Page) =>
        page.getByRole('group', { name: 'Expected files' }).getByRole('row').filter({ hasText: 'Unexpected' });
      for (const { page } of [olga, una]) await row(page).getByText('invoices / yearly').waitFor();
      expect(await row(una.page).getByRole('button').count()).toBe(0);
      for (const width of [768, 1_280]) {
        await olga.page.setViewportSize({ width, height: 900 });
        expect(await findHiddenActions(olga.page), `at ${width} pixels`).toEqual([]);
      }
      await row(olga.page).getByRole('button', { name: 'Acknowledge: invoices / yearly' }).click();
      const dialog = olga.page.getByRole('dialog').or(olga.page.getByRole('alertdialog'));
      await dialog.getByRole('textbox', { name: 'Why' }).fill('the partner has sent it early');
      expect(await findAccessViolations(olga.page)).toEqual([]);
      let requests = 0;
      const pressed = Promise.withResolvers<void>();
      await olga.page.route('**/acknowledge*', async (route) => {
        requests += 1;
        await pressed.promise;
        await route.continue();
      });
      // The only field of its form: Enter sends it, and does nothing while it is sent.
      for (const key of ['Enter', 'Enter', 'Enter']) await dialog.getByRole('textbox').press(key);
      pressed.resolve();
      for (const { page } of [olga, una]) await row(page).waitFor({ state: 'detached' });
      expect(requests).toBe(1);
      const bearer = await rig().platform.adminToken();
      const answer = await rig().platform.http().get('/job-manager/expectations?state=acknowledged', { bearer });
      expect(answer.json()).toMatchObject({
        expectations: [
          { expectation: 'yearly', acknowledgement: { by: 'olga', reason: 'the partner has sent it early' } },
        ],
      });
      expect([olga.takeErrors(), una.takeErrors()]).toEqual([[], []]);
    });
  });
}
