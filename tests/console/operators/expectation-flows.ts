import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillMissed } from '../fill-lists.ts';
import { findAccessViolations } from '../open-browser.ts';
import { checkNarrowPage, findHiddenActions } from '../page-checks.ts';
import { pressUntil } from './keyboard.ts';
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

    it('have a page with what came of them, filters in the address, and one reason for several acknowledgements', async () => {
      const client = rig().platform.http();
      await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
      const headers = { cookie: client.cookies.header() ?? '', 'content-type': 'application/octet-stream' };
      const { url } = rig().platform;
      for (const name of ['first', 'second', 'third'])
        await fetch(`${url}/2.0/files/inbox/early.${name}`, { method: 'PUT', headers, body: name });
      const { page, takeErrors } = await rig().logIn('olga');
      await page.getByRole('link', { name: 'All expected files, with what came of them' }).click();
      await page.getByLabel('State').selectOption('Unexpected');
      await page.waitForURL(/\/expectations\?state=unexpected/u);
      await page.getByLabel('Partner').fill('globex');
      await page.getByText('No expected file matches the filters.').waitFor();
      await page.getByLabel('Partner').fill('acme');
      await page.waitForURL(/actor=acme/u);
      const row = (name: string) =>
        page.getByRole('row').filter({ has: page.getByText(`early.${name}`, { exact: false }) });
      for (const name of ['first', 'second', 'third']) await row(name).getByText(`/inbox: *.${name}`).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      for (const name of ['first', 'second']) await row(name).getByRole('checkbox').check();
      await page.getByText('2 expectations selected').waitFor();
      await page.getByRole('button', { name: 'Acknowledge' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Acknowledge 2 expectations?' });
      await dialog.getByRole('listitem').filter({ hasText: 'invoices / second' }).waitFor();
      expect(await dialog.getByRole('button', { name: 'Acknowledge' }).isDisabled()).toBe(true);
      // Somebody else is faster with one of them.
      const bearer = await rig().platform.adminToken();
      const query = { state: 'unexpected', expectation: 'second' };
      const listed = (await rig().platform.http().get('/job-manager/expectations', { bearer, query })).json();
      const { expectations: [other] = [] } = listed as { expectations?: { id: number }[] };
      const address = `/job-manager/expectations/${other?.id}/acknowledge`;
      expect(
        (
          await rig()
            .platform.http()
            .post(address, { bearer, json: { reason: 'faster' } })
        ).status,
      ).toBe(200);
      const otto = await rig().logIn('otto', '/expectations?state=unexpected');
      const ofOtto = otto.page.getByRole('row').filter({ has: otto.page.getByText('early.first', { exact: false }) });
      await ofOtto.waitFor();
      await dialog.getByRole('textbox').fill('the partner has sent them early, before the holiday');
      await dialog.getByRole('button', { name: 'Acknowledge' }).click();
      await dialog.getByText('1 expectation acknowledged, 1 refused.').waitFor();
      const acknowledged = Date.now();
      await ofOtto.waitFor({ state: 'detached' });
      expect(Date.now() - acknowledged).toBeLessThan(2_000);
      expect(await dialog.getByRole('listitem').first().textContent()).toContain(
        'admin has already acknowledged invoices/second',
      );
      expect(await findAccessViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await row('third').waitFor();
      await row('first').waitFor({ state: 'detached' });
      await page.getByLabel('State').selectOption('Acknowledged');
      await page.waitForURL(/state=acknowledged/u);
      await page.reload();
      await row('first')
        .getByText(/^olga: the partner has sent them early/u)
        .waitFor();
      expect(await row('first').getByRole('checkbox').count()).toBe(0);
      await pressUntil(page, 'Tab', `at.textContent.startsWith('olga: the partner')`);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText('before the holiday').waitFor();
      await page.keyboard.press('Escape');
      await row('first').getByRole('link', { name: '/inbox/early.first' }).click();
      await page.waitForURL(/\/files\?path=/u);
      await page.getByRole('row').filter({ hasText: 'early.first' }).first().waitFor();
      await page.goBack();
      expect(new URL(page.url()).searchParams.get('state')).toBe('acknowledged');
      await page.setViewportSize({ width: 320, height: 640 });
      await row('second').waitFor();
      await checkNarrowPage(page, 'expected files');
      const una = await rig().logIn('una', '/expectations?state=unexpected');
      await una.page.getByText('early.third').waitFor();
      expect(await una.page.getByRole('checkbox').count()).toBe(0);
      expect([takeErrors(), una.takeErrors(), otto.takeErrors()]).toEqual([[], [], []]);
    });

    it('are acknowledged all that match, after a look at them, and shown as a whole where a column cuts them', async () => {
      const client = rig().platform.http();
      await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
      const headers = { cookie: client.cookies.header() ?? '', 'content-type': 'application/octet-stream' };
      const long = `a-name-that-has-no-room-in-any-column-of-this-list-${'x'.repeat(60)}.third`;
      const send = (name: string) =>
        fetch(`${rig().platform.url}/2.0/files/inbox/${name}`, { method: 'PUT', headers, body: 'early' });
      await send(long);
      const { page, takeErrors } = await rig().logIn('olga', '/expectations?expectation=third', {
        viewport: { width: 1_280, height: 800 },
      });
      await page.getByRole('button', { name: 'Last file: show the whole', exact: true }).press('Enter');
      await page.getByRole('dialog').getByText(`/inbox/${long}`, { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('All open ones that match the filters (at most 10,000):').waitFor();
      await page.getByRole('button', { name: 'Acknowledge', exact: true }).press('Enter');
      const dialog = page.getByRole('alertdialog', { name: 'Acknowledge all open expectations that match?' });
      await dialog.getByText('1 expectation would be acknowledged.').waitFor();
      await dialog.getByText('invoices / third').waitFor();
      expect(await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill('the partner was asked');
      for (const width of [1_280, 320]) {
        await page.setViewportSize({ width, height: 640 });
        if (width === 320) await checkNarrowPage(page, 'the acknowledgement of all that match');
        else expect(await findAccessViolations(page)).toEqual([]);
      }
      await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).press('Enter');
      await dialog.getByText('1 expectation acknowledged.').waitFor();
      await dialog.getByRole('button', { name: 'Close', exact: true }).press('Enter');
      await page.getByRole('button', { name: 'Acknowledge', exact: true }).press('Enter');
      await dialog.getByText('Nothing that matches is open.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).isDisabled()).toBe(true);
      await dialog.getByRole('button', { name: 'Close', exact: true }).press('Enter');
      for (const state of ['met', 'acknowledged', 'pending']) {
        await page.goto(`${rig().platform.url}/console/expectations?state=${state}`);
        await page.getByRole('table').waitFor();
        expect(await page.getByText('All open ones that match').count()).toBe(0);
      }
      await page.goto(`${rig().platform.url}/console/expectations?state="><b>&dueFrom=never`);
      await page.getByRole('alert').getByText('state="><b>').waitFor();
      expect(await page.getByRole('table').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Acknowledge', exact: true }).count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('are counted before all that match are acknowledged: none of more than 10 000, and each of some hundreds', async () => {
      await fillMissed(rig().platform, 'flood', 10_001);
      const { page, takeErrors } = await rig().logIn('olga', '/expectations?expectation=flood&state=missed');
      const ask = page.getByRole('button', { name: 'Acknowledge', exact: true });
      const dialog = page.getByRole('alertdialog');
      const acknowledge = dialog.getByRole('button', { name: 'Acknowledge', exact: true });
      await ask.press('Enter');
      await dialog.getByRole('alert').getByText('More than 10,000 match.').waitFor();
      await dialog.getByRole('textbox').fill('too many');
      expect(await acknowledge.isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await fillMissed(rig().platform, 'flood', 1_100);
      await ask.press('Enter');
      await dialog.getByText('1,100 expectations would be acknowledged.').waitFor();
      await dialog.getByText('The first 500 are shown').waitFor();
      await dialog.getByRole('textbox').fill('the partner has closed');
      await acknowledge.press('Enter');
      await dialog.getByText('1,100 expectations acknowledged.').waitFor();
      await dialog.getByRole('button', { name: 'Close', exact: true }).press('Enter');
      await page.getByText('No expected file matches the filters.').waitFor();
      expect(takeErrors()).toEqual([]);
    });
  });
}
