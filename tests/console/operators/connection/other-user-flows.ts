import { describe, expect, it } from 'vitest';
import { fillOperatorLogin, openAsAdministrator, type OperatorsRig } from '../open-operators.ts';

/** Another operator logs in with the same browser. */
export function testOtherUsers(rig: () => OperatorsRig): void {
  describe('another operator who logs in with the same browser', () => {
    it('sees nothing of the one before in another tab, not even a draft', async () => {
      const { page, takeErrors } = await openAsAdministrator(rig(), '/audit');
      await page.getByRole('table', { name: 'Audit records, newest first' }).getByRole('row').nth(1).waitFor();
      const editor = await page.context().newPage();
      await editor.goto(`${rig().platform.url}/console/configuration/queues?new=yes`);
      await editor.getByLabel('Settings', { exact: true }).fill('name: draft-of-admin\n');
      const asked: string[] = [];
      editor.on('dialog', (dialog) => {
        asked.push(dialog.type());
        void dialog.dismiss();
      });
      const other = await page.context().newPage();
      await other.goto(`${rig().platform.url}/console/jobs`);
      await other.getByRole('button', { name: 'Log out' }).click();
      await other.getByRole('heading', { name: 'Log in to the console' }).waitFor();
      await fillOperatorLogin(other, 'una');
      await other.getByText('Logged in as una').waitFor();
      const before = Date.now();
      for (const tab of [page, editor]) {
        await tab.getByText('Logged in as una').waitFor();
        await tab.getByRole('heading', { name: 'Queues' }).waitFor();
        expect(new URL(tab.url()).pathname).toBe('/console/');
        const shown = (await tab.locator('body').textContent()) ?? '';
        for (const word of ['admin', 'AUD00', 'draft-of-admin']) expect(shown).not.toContain(word);
      }
      expect(Date.now() - before).toBeLessThan(10_000);
      expect(asked).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    it('finds nothing of the one before in the same tab, and the same operator finds everything', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs?status=COMPLETED');
      const endSession = async (): Promise<void> => {
        await page.evaluate(`new BroadcastChannel('waybill-tokens').postMessage({ kind: 'tokens' })`);
        await page.getByRole('dialog').getByText('Your session has ended').waitFor();
      };
      await endSession();
      await fillOperatorLogin(page, 'olga');
      await page.getByText('Logged in as olga').waitFor();
      expect(new URL(page.url()).search).toBe('?status=COMPLETED');
      await endSession();
      await fillOperatorLogin(page, 'una');
      await page.getByText('Logged in as una').waitFor();
      expect(page.url()).toBe(`${rig().platform.url}/console/`);
      expect(takeErrors()).toEqual([]);
    });
  });
}
