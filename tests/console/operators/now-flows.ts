import { request } from 'node:http';
import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findAccessViolations, keepScreenshot } from '../open-browser.ts';
import { checkNarrowPage, findHiddenActions } from '../page-checks.ts';
import { untilDialogFocused, untilFocused } from '../until-focused.ts';
import { pressUntil } from './keyboard.ts';
import { fillOperatorLogin, type OperatorsRig } from './open-operators.ts';

/** What happens now, in the console. */
export function testNow(rig: () => OperatorsRig): void {
  describe('what happens now, in the console', () => {
    let failed: number;
    beforeAll(async () => {
      [failed = 0] = await rig().submit(1, '/nowhere');
    });

    const openSession = () => openSftpSession({ port: rig().platform.sftpPort, user: 'acme', password: 'acme-demo' });

    it('shows a paused queue to the other operator within two seconds, and who has paused it', async () => {
      const olga = await rig().logIn('olga');
      const otto = await rig().logIn('otto');
      await otto.page.getByRole('button', { name: 'Pause: Default Queue' }).waitFor();
      await olga.page.getByRole('button', { name: 'Pause: Default Queue' }).click();
      await olga.page.getByRole('textbox', { name: 'Why' }).fill('the partner moves its server');
      expect(await findAccessViolations(olga.page)).toEqual([]);
      await olga.page.getByRole('button', { name: 'Pause', exact: true }).click();
      await olga.page.getByRole('dialog').waitFor({ state: 'detached' });
      const before = Date.now();
      await otto.page.getByText('Paused by olga: the partner moves its server').waitFor();
      expect(Date.now() - before).toBeLessThan(2_000);
      await otto.page.getByRole('button', { name: 'Resume: Default Queue' }).click();
      await otto.page.getByRole('textbox', { name: 'Why' }).fill('it has moved');
      await otto.page.getByRole('button', { name: 'Resume', exact: true }).click();
      await olga.page.getByText('Paused by olga').waitFor({ state: 'detached' });
      expect([olga.takeErrors(), otto.takeErrors()]).toEqual([[], []]);
    });

    it('shows open sessions, and ends one', async () => {
      await using session = openSession();
      const { page, takeErrors } = await rig().logIn('olga');
      await page.getByRole('button', { name: /^End the session of acme from/u }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
      await page.getByText('No SFTP session is open.').waitFor();
      session.send('ls');
      expect((await session.exited).exitCode).not.toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('freezes the user of a session and thaws the user again', async () => {
      await using session = openSession();
      const { page, takeErrors } = await rig().logIn('olga');
      const overSftp = page.getByRole('group', { name: 'Sessions over SFTP' });
      await overSftp.getByRole('button', { name: 'Freeze acme' }).click();
      await page.getByLabel('Why (optional').fill('Ticket 4711: <b>published</b>');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Freeze' }).click();
      await page.getByText('No SFTP session is open.').waitFor();
      session.send('ls');
      expect((await session.exited).exitCode).not.toBe(0);
      const frozen = page.getByRole('group', { name: 'Frozen users' });
      await frozen.getByRole('row', { name: /^acme acme .* olga Ticket 4711: <b>published<\/b>/u }).waitFor();
      const partner = await rig().logIn('olga', '/partners/acme');
      await partner.page.getByRole('cell', { name: 'enabled frozen Ticket 4711' }).waitFor();
      expect(partner.takeErrors()).toEqual([]);
      await page.getByLabel('Is this user frozen?').fill('acme');
      await page.keyboard.press('Enter');
      await page.getByText(/acme was frozen by olga, .*: Ticket 4711: <b>/u).waitFor();
      expect(new URL(page.url()).search).toBe('?user=acme');
      await page.getByRole('button', { name: 'Thaw acme' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Thaw' }).click();
      await page.getByText('acme is not frozen.').waitFor();
      await page.getByText('No user is frozen.').waitFor();
      const auditor = await rig().logIn('ada', '/audit?auditCode=AUD0037A');
      await auditor.page.getByText('User olga has frozen user acme: Ticket 4711: <b>published</b>').waitFor();
      expect([...takeErrors(), ...auditor.takeErrors()]).toEqual([]);
    });

    it('shows a running upload over HTTP with what it has transferred to both operators, and ends it', async () => {
      await using _session = openSession();
      const { url } = rig().platform;
      const client = rig().platform.http();
      await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
      const headers = { cookie: client.cookies.header() ?? '', 'content-type': 'application/octet-stream' };
      const upload = request(`${url}/2.0/files/inbox/slow.bin`, { method: 'PUT', headers });
      upload.on('error', () => {});
      const closed = new Promise((resolve) => upload.once('close', resolve));
      upload.write(Buffer.alloc(100_000));
      const [olga, otto, una] = [await rig().logIn('olga'), await rig().logIn('otto'), await rig().logIn('una')];
      const panel = (page: Page) => page.getByRole('group', { name: 'Running transfers' });
      for (const { page } of [olga, otto, una]) await panel(page).getByText('↑ /inbox/slow.bin').waitFor();
      await olga.page.getByRole('button', { name: /^End the session of acme from/u }).waitFor();
      await olga.page.setViewportSize({ width: 1_100, height: 1_000 });
      await keepScreenshot(olga.page, 'console-now');
      for (const width of [768, 1_280]) {
        await olga.page.setViewportSize({ width, height: 1_000 });
        expect(await findHiddenActions(olga.page), `at ${width} pixels`).toEqual([]);
        expect(await findAccessViolations(olga.page)).toEqual([]);
      }
      await olga.page.setViewportSize({ width: 1_100, height: 750 });
      expect(await findAccessViolations(olga.page)).toEqual([]);
      expect(await panel(una.page).getByRole('button').count()).toBe(0);
      await olga.page.getByRole('button', { name: 'End the upload of /inbox/slow.bin' }).click();
      await olga.page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
      await closed;
      const before = Date.now();
      await otto.page.getByText('No transfer has run for more than a second.').waitFor();
      expect(Date.now() - before).toBeLessThan(4_000);
      await olga.page.getByText('No transfer has run for more than a second.').waitFor();
      expect([olga, otto, una].flatMap(({ takeErrors }) => takeErrors())).toEqual([]);
    });

    it('shows who is logged in over HTTP to everybody, and lets operators end a session', async () => {
      const client = rig().platform.http();
      await client.post('/2.0/login/basic', { form: { username: 'globex', password: 'globex-demo' } });
      const [olga, una] = [await rig().logIn('olga'), await rig().logIn('una')];
      const row = (page: Page) =>
        page.getByRole('group', { name: 'Sessions over HTTP' }).getByRole('row').filter({ hasText: 'globex' });
      for (const { page } of [olga, una]) await row(page).waitFor();
      expect(await row(una.page).getByRole('button').count()).toBe(0);
      await row(olga.page)
        .getByRole('button', { name: /^End the session over HTTP of globex from .* \d\d:\d\d:\d\d /u })
        .click();
      await olga.page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
      for (const { page } of [olga, una]) await row(page).waitFor({ state: 'detached' });
      expect((await client.get('/2.0/account')).status).toBe(401);
      expect([olga, una].flatMap(({ takeErrors }) => takeErrors())).toEqual([]);
    });

    it('shows login bans to everybody, and lifts them for operators', async () => {
      const form = { username: 'globex', password: 'wrong' };
      const send = async () => (await rig().platform.http().post('/2.0/login/basic', { form })).status;
      await expect.poll(send, { timeout: 30_000, interval: 10 }).toBe(429);
      const [olga, una] = [await rig().logIn('olga'), await rig().logIn('una')];
      const row = (page: Page) =>
        page.getByRole('group', { name: 'Login bans' }).getByRole('row').filter({ hasText: 'globex' });
      for (const { page } of [olga, una]) await row(page).getByText('over HTTP').waitFor();
      expect(await row(una.page).getByRole('button').count()).toBe(0);
      await row(olga.page)
        .getByRole('button', { name: /^Lift the bans of /u })
        .click();
      expect(await findAccessViolations(olga.page)).toEqual([]);
      await olga.page
        .getByRole('alertdialog')
        .or(olga.page.getByRole('dialog'))
        .getByRole('button', { name: 'Lift' })
        .click();
      for (const { page } of [olga, una]) await row(page).waitFor({ state: 'detached' });
      expect(await send()).toBe(401);
      expect([olga.takeErrors(), una.takeErrors()]).toEqual([[], []]);
    });

    it('shows the end of a session to the other operator within two seconds', async () => {
      await using _session = openSession();
      const [olga, otto] = [await rig().logIn('olga'), await rig().logIn('otto')];
      await otto.page.getByRole('button', { name: /^End the session of acme from/u }).waitFor();
      await olga.page.getByRole('button', { name: /^End the session of acme from/u }).click();
      await olga.page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
      await olga.page.getByRole('alertdialog').waitFor({ state: 'detached' });
      const before = Date.now();
      await otto.page.getByText('No SFTP session is open.').waitFor();
      expect(Date.now() - before).toBeLessThan(2_000);
      expect([olga.takeErrors(), otto.takeErrors()]).toEqual([[], []]);
    });

    it('shows an ordinary user how the platform does, with every process and part', async () => {
      const { page, takeErrors } = await rig().logIn('una');
      const health = page.getByRole('group', { name: 'Health of the platform' });
      const row = (name: string) => health.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
      for (const name of ['Services', 'PostgreSQL', 'Redis', 'Storage class local', 'Audit log'])
        await row(name).getByText('Up', { exact: true }).waitFor();
      for (const service of ['audit', 'http-files', 'job-manager', 'sftp-gateway'])
        await health.getByText(new RegExp(`^${service} on `, 'u')).waitFor();
      await row('PostgreSQL')
        .getByText(/primary · 0 standbys · \d+ of \d+ connections/u)
        .waitFor();
      await row('Client connections')
        .getByText(/0 working, 0 failing, 0 suspended, \d+ unused$/u)
        .waitFor();
      await row('Audit log')
        .getByText(/records under the last checkpoint · Signed .+ · No anchor is configured$/u)
        .waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    it('is usable at 320 pixels, in the light and the dark scheme, as are the other pages, and by the rules of axe', async () => {
      const { page, takeErrors } = await rig().browser.newPage({ viewport: { width: 320, height: 640 } });
      const check = (what: string): Promise<void> => checkNarrowPage(page, what);
      await page.goto(`${rig().platform.url}/console/`);
      await page.getByLabel('User name').waitFor();
      await check('login');
      await fillOperatorLogin(page, 'olga');
      await page.getByRole('heading', { name: 'Queues' }).waitFor();
      await page.getByRole('link', { name: 'Default Queue' }).waitFor();
      await page.getByText('Storage class local').waitFor();
      await check('now');
      await page.goto(`${rig().platform.url}/console/jobs?status=ERROR`);
      await page.getByLabel(`Select job ${failed}`, { exact: true }).check();
      await page.getByText('More filters').click();
      await check('jobs');
      await page.getByRole('button', { name: 'Resubmit', exact: true }).click();
      await page.getByRole('alertdialog').getByText('1 job').first().waitFor();
      await check('change');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: String(failed), exact: true }).click();
      await page.getByRole('heading', { name: 'Steps' }).waitFor();
      await check('job');
      expect(takeErrors()).toEqual([]);
    });

    it('can be reached with the keyboard alone', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/console/jobs?status=ERROR`);
      await untilFocused(page, 'User name');
      await page.keyboard.type('olga');
      await page.keyboard.press('Tab');
      await page.keyboard.type('a-password-of-olga');
      await page.keyboard.press('Enter');
      await page.getByLabel(`Select job ${failed}`, { exact: true }).waitFor();
      await pressUntil(page, 'Tab', `at.getAttribute('aria-label') === 'Select job ${failed}'`);
      await page.keyboard.press('Space');
      await page.getByText('1 job selected').waitFor();
      await pressUntil(page, 'Shift+Tab', `at.textContent === 'Abort'`);
      await page.keyboard.press('Enter');
      await page.getByText('1 job would change.').waitFor();
      await untilDialogFocused(page);
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      await pressUntil(page, 'Tab', `at.textContent === '${failed}'`);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `Job ${failed}` }).waitFor();
      // Screen readers begin with the title of the new page.
      await expect.poll(() => page.evaluate<string>('document.activeElement.tagName')).toBe('H1');
      expect(takeErrors()).toEqual([]);
    });
  });
}
