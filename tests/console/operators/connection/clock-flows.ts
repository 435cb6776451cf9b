import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { sendLogin } from '../../send-login.ts';
import type { OperatorsRig } from '../open-operators.ts';

const hourMs = 3_600_000;

/** The clock of the browser is wrong. */
export function testClocks(rig: () => OperatorsRig): void {
  const api = '/platform-application/api/v1';

  it.each([
    ['ahead', 10],
    ['behind', -10],
  ])(
    'with a clock that is 10 hours %s, a browser shows how long ago things were, and who may still log in',
    async (name, hours) => {
      const { platform, browser, submit } = rig();
      const bearer = await platform.adminToken();
      const inHours = (count: number): string => new Date(Date.now() + count * hourMs).toISOString();
      const userOf = async (user: string, expires: string): Promise<void> => {
        const json = { name: user, actor: 'globex', password: 'a-password-of-it', expires };
        expect((await platform.http().post(`${api}/users`, { bearer, json })).status).toBe(201);
      };
      await userOf(`valid-${name}`, inHours(5));
      await userOf(`ended-${name}`, inHours(-5));
      const [failed = 0] = await submit(1, '/nowhere');
      await waitFor(
        async () =>
          ((await platform.http().get(`/job-manager/jobs/${failed}`, { bearer })).json() as { status: string })
            .status === 'ERROR',
        { what: 'a failed job' },
      );
      const { page, takeErrors } = await browser.newPage();
      await page.clock.install({ time: Date.now() + hours * hourMs });
      await page.goto(`${platform.url}/console/`);
      await sendLogin(page, 'admin', 'admin-demo');
      const last = page.getByRole('row').filter({ has: page.getByRole('link', { name: String(failed), exact: true }) });
      await last.first().waitFor();
      // Some seconds, or a minute on a slow machine.
      expect((await last.allTextContents()).join()).toMatch(/\b(?:\d+ s|[1-4] min(?: \d+ s)?) ago/u);
      await page.goto(`${platform.url}/console/partners/globex`);
      const state = (user: string) => page.getByRole('row').filter({ hasText: user }).textContent();
      await page.getByRole('link', { name: `valid-${name}`, exact: true }).waitFor();
      expect(await state(`valid-${name}`)).toContain('enabled');
      expect(await state(`ended-${name}`)).toContain('expired');
      expect(takeErrors()).toEqual([]);
    },
  );
}
