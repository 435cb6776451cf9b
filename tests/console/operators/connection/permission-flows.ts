import { builtInRoles } from '@waybill/contracts/roles/built-in-roles';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sendLogin } from '../../send-login.ts';
import type { OperatorsRig } from '../open-operators.ts';

const api = '/platform-application/api/v1';

/** What a page may go on showing after its user has lost the right to see it. */
const lateAtMostMs = 5_000;

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

    it('within a role of one partner loses a page, although nothing tells its page that it may', async () => {
      await begin('tim', { permissions: ['jobs:read', 'activity:read'], actors: ['acme'] });
      const { page, takeErrors } = await logIn('tim', '/files?path=/inbox/none');
      await page.getByText('No file matches.').waitFor();
      expect(await links(page)).toContain('Files');
      await reduce('tim', { permissions: ['jobs:read'], actors: ['acme'] });
      const lateMs = await timed(() => page.getByText('Your roles do not allow what it shows').waitFor());
      expect(await links(page)).not.toContain('Files');
      expect(lateMs).toBeLessThan(lateAtMostMs);
      expect(takeErrors()).toEqual([]);
    });

    it('from one partner to another sees nothing more of the first', async () => {
      const [id] = await rig().submit(1);
      await begin('tam', { permissions: ['jobs:read'], actors: ['acme'] });
      const { page, takeErrors } = await logIn('tam', `/jobs/${id}`);
      await page.getByText('write-report').first().waitFor();
      const list = await page.context().newPage();
      await list.goto(`${rig().platform.url}/console/jobs`);
      const ofFirst = list.getByRole('link', { name: String(id), exact: true });
      await ofFirst.waitFor();
      await reduce('tam', { permissions: ['jobs:read'], actors: ['globex'] });
      const lateMs = await timed(async () => {
        await page.getByText('write-report').first().waitFor({ state: 'detached' });
        await ofFirst.waitFor({ state: 'detached' });
      });
      expect(await page.getByRole('main').textContent()).toContain(`no job ${id}`);
      expect(lateMs).toBeLessThan(lateAtMostMs);
      expect(takeErrors()).toEqual([]);
    });
  });
}
