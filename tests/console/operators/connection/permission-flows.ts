import { builtInRoles } from '@waybill/contracts/roles/built-in-roles';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import { checkNarrowPage } from '../../page-checks.ts';
import { sendLogin } from '../../send-login.ts';
import type { OperatorsRig } from '../open-operators.ts';

const api = '/platform-application/api/v1';

/** How long a page may go on showing what its user may not see any more: two seconds, more on a busy machine, and twenty if it misses the change. */
const lateAtMostMs = 6_000;

/** The rights of an operator change while a page is open. */
export function testChangedPermissions(rig: () => OperatorsRig): void {
  describe('an operator whose rights are reduced', () => {
    const write = async (method: 'POST' | 'PUT', path: string, json: object): Promise<void> => {
      const bearer = await rig().platform.adminToken();
      const { status } = await rig().platform.http().request(method, `${api}/${path}`, { bearer, json });
      expect(status).toBe(method === 'POST' ? 201 : 200);
    };
    const begin = async (name: string, role: object): Promise<void> => {
      await write('POST', 'roles', { name: `Role of ${name}`, ...role });
      const account = { name, password: `a-password-of-${name}`, roles: [`Role of ${name}`] };
      await write('POST', 'manager-users', account);
    };
    const reduce = (name: string, role: object) => write('PUT', `roles/Role of ${name}`, role);
    const logIn = async (name: string, address: string) => {
      const watched = await rig().browser.newPage();
      await watched.page.goto(`${rig().platform.url}/console${address}`);
      await sendLogin(watched.page, name, `a-password-of-${name}`);
      await watched.page.getByText(`Logged in as ${name}`).waitFor();
      return watched;
    };
    const links = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
    /** The time that it takes until a page shows something, or does not any more. */
    const timed = async (until: () => Promise<unknown>): Promise<number> => {
      const before = performance.now();
      await until();
      return performance.now() - before;
    };

    /** Which must be there, exactly as it is. */
    const draftOf = async (page: Page, text: string) => {
      await page.getByRole('alert').getByText('your roles do not allow it any more').waitFor();
      const draft = page.getByRole('region', { name: 'What you have typed' });
      expect(await draft.textContent()).toBe(text);
      return draft;
    };

    it.each([
      ['the page of a kind', ['configuration:read', 'configuration:write', 'jobs:read'], ['jobs:read']],
      ['every page', ['configuration:read', 'configuration:write'], ['freezes:read']],
    ] as const)(
      'and who loses %s while something is typed there can copy it, and goes on if the right comes back',
      async (_, before, after) => {
        const name = `tod-${before.length}`;
        await begin(name, { permissions: before });
        const { page, takeErrors } = await logIn(name, '/configuration/queues?new=yes');
        const text = `name: queue-of-${name}\npriority: 7 # of <b>mine</b>\n`;
        const settings = page.getByLabel('Settings', { exact: true });
        await settings.fill(text);
        await reduce(name, { permissions: after });
        const draft = await draftOf(page, text);
        expect(await settings.isVisible()).toBe(false);
        expect(await page.getByRole('main').count()).toBe(1);
        expect(await findAccessViolations(page)).toEqual([]);
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.getByRole('button', { name: 'Copy', exact: true }).press('Enter');
        await page.getByRole('status').getByText('Copied.').waitFor();
        expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text);
        await page.setViewportSize({ width: 320, height: 640 });
        await checkNarrowPage(page, 'a draft that is not allowed');
        await page.setViewportSize({ width: 1_100, height: 750 });

        await page.getByRole('link', { name: 'Account', exact: true }).press('Enter');
        const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
        await question.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
        await question.waitFor({ state: 'detached' });
        await reduce(name, { permissions: before });
        await draft.waitFor({ state: 'detached' });
        expect(await settings.inputValue()).toBe(text);
        await page.getByRole('button', { name: 'Show the difference', exact: true }).press('Enter');
        await page.getByRole('button', { name: 'Create', exact: true }).press('Enter');
        await page.getByText('priority: 7').waitFor();
        expect(takeErrors()).toEqual([]);
      },
    );

    it('loses no draft of an object whose kind alone is not allowed any more, and sees nothing else of it', async () => {
      await begin('tad', { permissions: ['configuration:read', 'identities:read', 'identities:write'] });
      const { page, takeErrors } = await logIn('tad', '/configuration/manager-users/tad');
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const settings = page.getByLabel('Settings', { exact: true });
      const text = `${await settings.inputValue()}# mine\n`;
      await settings.fill(text);
      await reduce('tad', { permissions: ['configuration:read'] });
      const draft = await draftOf(page, text);
      await page.getByRole('link', { name: 'Access', exact: true }).click();
      await page.getByRole('button', { name: 'Leave', exact: true }).click();
      await draft.waitFor({ state: 'detached' });
      await page.goBack();
      await page.getByText('Your roles do not allow what it shows').waitFor();
      // What its user has left is not kept.
      expect(await page.getByRole('region', { name: 'What you have typed' }).count()).toBe(0);
      expect(await page.locator('main').textContent()).not.toContain('Role of tad');
      expect(takeErrors()).toEqual([]);
    });

    it('loses no draft of permissions, nor of a document', async () => {
      const rights = { permissions: ['configuration:read', 'configuration:write'] };
      await begin('ted', rights);
      const actor = 'bachmanity';
      await write('POST', 'actors', { name: actor, type: 'Partner' });
      await write('POST', 'users', { name: 'bighetti', actor });
      const acl = [{ path: '/', grants: [{ user: 'bighetti', permissions: ['list'] }] }];
      await write('POST', 'virtual-file-systems', { name: 'bachman-files', actor, acl });
      const { page, takeErrors } = await logIn('ted', `/partners/${actor}`);
      await page.getByRole('button', { name: 'Edit: Permissions in bachman-files', exact: true }).click();
      await page.getByLabel('Path, row 1', { exact: true }).fill('/drafted');
      const other = await page.context().newPage();
      await other.goto(`${rig().platform.url}/console/configuration-document`);
      await other.getByLabel('Document', { exact: true }).fill('queues: [] # mine\n');
      await reduce('ted', { permissions: ['jobs:read'] });
      await draftOf(other, 'queues: [] # mine\n');
      const draft = page.getByRole('region', { name: 'What you have typed' });
      await draft.getByText('path: /drafted').waitFor();
      await reduce('ted', rights);
      await draft.waitFor({ state: 'detached' });
      expect(await page.getByLabel('Path, row 1', { exact: true }).inputValue()).toBe('/drafted');
      expect(await page.getByText('Somebody else has').count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('to a role of one partner sees nothing of what it had in any tab after a few seconds', async () => {
      await begin('tom', { permissions: builtInRoles.Administrators.permissions });
      const { page, takeErrors } = await logIn('tom', '/audit');
      const other = await page.context().newPage();
      await other.goto(`${rig().platform.url}/console/audit`);
      for (const tab of [page, other])
        await tab.getByRole('table', { name: 'Audit records, newest first' }).getByRole('row').nth(1).waitFor();
      await reduce('tom', { permissions: ['jobs:read', 'sessions:read'], actors: ['acme'] });
      const lateMs = await timed(() =>
        Promise.all([page, other].map((tab) => tab.getByText('Your roles do not allow what it shows').waitFor())),
      );
      for (const tab of [page, other]) {
        expect(await tab.getByRole('main').textContent()).not.toContain('AUD0');
        expect(await links(tab)).toEqual(['Now', 'Jobs', 'Webhooks', 'Uploads']);
      }
      expect(lateMs).toBeLessThan(lateAtMostMs);
      expect(takeErrors()).toEqual([]);
    });

    it.each([
      ['of one partner', ['jobs:read'], { actors: ['acme'] }],
      ['that follows the configuration', ['configuration:read'], {}],
    ] as const)(
      'within a role %s loses a page, although nothing tells its page that it may',
      async (_, kept, scope) => {
        const name = `tim-${kept[0].split(':')[0] ?? ''}`;
        await begin(name, { permissions: [...kept, 'activity:read'], ...scope });
        const { page, takeErrors } = await logIn(name, '/files?path=/inbox/none');
        await page.getByText('No file matches.').waitFor();
        expect(await links(page)).toContain('Files');
        // The server has just looked up the rights, which it knows for a second then.
        await page.reload();
        await page.getByText('No file matches.').waitFor();
        await reduce(name, { permissions: kept, ...scope });
        const lateMs = await timed(() => page.getByText('Your roles do not allow what it shows').waitFor());
        expect(await links(page)).not.toContain('Files');
        expect(lateMs).toBeLessThan(lateAtMostMs);
        expect(takeErrors()).toEqual([]);
      },
    );

    it('from one partner to another sees nothing more of the first', async () => {
      const [id] = await rig().submit(1);
      await begin('tam', { permissions: ['jobs:read', 'activity:read'], actors: ['acme'] });
      const { page, takeErrors } = await logIn('tam', `/jobs/${id}`);
      await page.getByText('write-report').first().waitFor();
      const list = await page.context().newPage();
      await list.goto(`${rig().platform.url}/console/jobs`);
      const ofFirst = list.getByRole('link', { name: String(id), exact: true });
      await ofFirst.waitFor();
      const left = await page.context().newPage();
      await left.goto(`${rig().platform.url}/console/jobs`);
      await left.getByRole('link', { name: String(id), exact: true }).waitFor();
      await left.getByRole('link', { name: 'Webhooks', exact: true }).click();
      await left.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
      await reduce('tam', { permissions: ['jobs:read'], actors: ['globex'] });
      const lateMs = await timed(async () => {
        await page.getByText('write-report').first().waitFor({ state: 'detached' });
        await ofFirst.waitFor({ state: 'detached' });
      });
      // It says so when it has read again.
      await page.getByRole('main').getByText(`no job ${id}`).waitFor();
      // Nor what a page has kept that is opened again, until it has read it again.
      await left.getByRole('link', { name: 'Files', exact: true }).waitFor({ state: 'detached' });
      await left.route('**/job-manager/jobs?**', () => undefined);
      await left.getByRole('link', { name: 'Jobs', exact: true }).click();
      await left.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
      await left.waitForTimeout(500);
      expect(await left.getByRole('link', { name: String(id), exact: true }).count()).toBe(0);
      expect(lateMs).toBeLessThan(lateAtMostMs);
      expect(takeErrors()).toEqual([]);
    });
  });
}
