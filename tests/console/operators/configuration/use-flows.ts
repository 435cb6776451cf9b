import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import { checkNarrowPage } from '../../page-checks.ts';
import { openAsAdministrator, type OperatorsRig } from '../open-operators.ts';

/** What refers to an object of the configuration, on its page. */
export function testUses(rig: () => OperatorsRig): void {
  describe('what refers to an object, in the console', () => {
    const prefix = '/platform-application/api/v1';
    const create = async (collection: string, json: object): Promise<void> => {
      const bearer = await rig().platform.adminToken();
      const answer = await rig().platform.http().post(`${prefix}/${collection}`, { bearer, json });
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    };
    const uses = (page: Page) => page.getByRole('list', { name: 'What refers to it' }).getByRole('link');

    it('is a link from queues, workflows, files and connections, for those who may follow it', async () => {
      await create('client-connections', {
        name: 'mail',
        type: 'smtp',
        host: 'mail.example.org',
        from: 'a@example.org',
      });
      const tell = { connection: 'mail', to: 'a@example.org', subject: 'ended', text: 'ended' };
      const steps = [{ name: 'wait', uses: 'gzip', with: { source: '/a', target: '/b' } }];
      await create('workflow-templates', {
        name: 'told',
        steps,
        finally: [{ name: 'tell', uses: 'send-email', with: tell }],
      });
      await create('contracts', {
        name: 'copies',
        actor: 'globex',
        type: 'Mediation',
        actions: [
          {
            name: 'copy',
            trigger: { type: 'OnDemand' },
            vfs: 'globex-files',
            grants: [{ vfs: 'acme-files', rights: ['list'] }],
            workflow: 'write-report',
            variables: { folder: '/data' },
          },
        ],
      });
      const { page, takeErrors } = await openAsAdministrator(rig(), '/configuration/client-connections/mail');
      await expect.poll(() => uses(page).allTextContents()).toEqual(['Workflow template: told']);
      await uses(page).press('Enter');
      await page.getByRole('heading', { name: 'Workflow template: told' }).waitFor();
      await page.getByText('Nothing that you may see refers to it.').waitFor();
      const { url } = rig().platform;
      for (const [address, expected] of [
        ['workflow-templates/write-report', ['Contract: copies', 'Contract: invoices']],
        ['queues/Default%20Queue', ['Contract: copies', 'Contract: invoices']],
        [
          'virtual-file-systems/acme-files?actor=acme',
          [
            'Connection Contract: acme-http',
            'Connection Contract: acme-sftp',
            'Contract: copies',
            'Contract: invoices',
          ],
        ],
        ['roles/Operators%20of%20acme', ['Manager user: lena']],
      ] as const) {
        await page.goto(`${url}/console/configuration/${address}`);
        await expect.poll(() => uses(page).allTextContents()).toEqual(expected);
      }
      expect(await findAccessViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      await checkNarrowPage(page, 'what refers to a role');
      const lena = await rig().logIn('lena', '/configuration/virtual-file-systems/acme-files?actor=acme');
      await expect
        .poll(() => uses(lena.page).allTextContents())
        .toEqual(['Connection Contract: acme-http', 'Connection Contract: acme-sftp', 'Contract: invoices']);
      await uses(lena.page).last().click();
      await lena.page.getByRole('heading', { name: 'Contract: invoices' }).waitFor();
      expect([takeErrors(), lena.takeErrors()]).toEqual([[], []]);
    });
  });
}
