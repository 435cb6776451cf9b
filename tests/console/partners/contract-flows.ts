import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { fillLogin, type PartnersRig } from './open-partners.ts';

const contracts = '/platform-application/api/v1/connection-contracts';

/** Users who are in no Connection Contract, or not any more. */
export function testContracts(rig: () => PartnersRig): void {
  describe('a user who reaches no files', () => {
    it('reads why instead of logging in for ever, and leaves no open session', async () => {
      const client = rig().platform.http();
      const bearer = await rig().platform.adminToken();
      const sessions = async (): Promise<string> =>
        (await client.get('/platform-application/api/v1/infrastructure/clusters/http-sessions', { bearer })).text;
      const { page, takeErrors } = await rig().browser.newPage();
      const reason = page.getByText('You cannot reach files here: Connection contract not configured.');
      await page.goto(`${rig().platform.url}/ui/`);
      await fillLogin(page, 'umbrella-demo', 'tam');
      await reason.waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await expect.poll(sessions).not.toContain('"tam"');

      const contract = {
        name: 'for-tam',
        actor: 'umbrella',
        cluster: 'cluster1',
        server: 'http-server',
        clauses: [{ user: 'tam', vfs: 'umbrella-files' }],
      };
      expect((await client.post(contracts, { bearer, json: contract })).status).toBe(201);
      await fillLogin(page, 'umbrella-demo', 'tam');
      await page.getByText('Logged in as tam').waitFor();
      // The user reaches the files, and may do nothing with them.
      await page.getByText('No list permission').first().waitFor();
      expect(await reason.count()).toBe(0);
      expect((await client.delete(`${contracts}/for-tam?actor=umbrella`, { bearer })).status).toBe(204);
      await reason.waitFor();
      await expect.poll(sessions).not.toContain('"tam"');
      expect(takeErrors()).toEqual([]);
    });
  });
}
