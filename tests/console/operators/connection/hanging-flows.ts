import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAsAdministrator, type OperatorsRig } from '../open-operators.ts';

/** "Now" while a service has stopped without a word: its requests have no answer, and hold their connections. */
export function testHangingServices(rig: () => OperatorsRig): void {
  describe('a service that hangs', () => {
    it.each([
      { part: 'audit', fails: 'Audit log' },
      { part: 'sftp-gateway', fails: 'Login bans' },
    ] as const)(
      'leaves "Now" usable in three windows, which tell within 20 seconds that $part is down',
      async ({ part, fails }) => {
        const { page, takeErrors } = await openAsAdministrator(rig(), '/');
        await page.getByText('Default Queue').first().waitFor();
        onTestFinished(() => rig().platform.signal(part, 'SIGCONT'));
        await rig().platform.signal(part, 'SIGSTOP');
        const before = Date.now();
        const windows = [page, await page.context().newPage(), await page.context().newPage()];
        await page.reload();
        for (const added of windows.slice(1)) await added.goto(page.url());
        for (const one of windows) await untilFilled(one, part);
        expect(Date.now() - before).toBeLessThan(10_000);
        for (const one of windows) {
          await one
            .getByRole('row')
            .filter({ hasText: new RegExp(`^${part} on .*Down`, 'u') })
            .waitFor();
        }
        expect(Date.now() - before).toBeLessThan(20_000);
        for (const one of windows) {
          const section = one.getByRole('region', { name: fails });
          await section.getByText('The server has not answered for 15 s.').waitFor();
        }
        await rig().platform.signal(part, 'SIGCONT');
        for (const one of windows) {
          await one.getByText('The server has not answered for', { exact: false }).first().waitFor({ state: 'detached' });
          await one.getByText('No witness has signed a checkpoint.').waitFor();
          await one.getByText('No SFTP session is open.').waitFor();
        }
        expect(takeErrors()).toEqual([]);
      },
    );
  });
}

/** What comes from other services is there. */
async function untilFilled(page: Page, part: 'audit' | 'sftp-gateway'): Promise<void> {
  await page.getByRole('row').filter({ hasText: new RegExp(`^${part} on `, 'u') }).waitFor();
  await page.getByText('Default Queue').first().waitFor();
  await page.getByRole('group', { name: 'Jobs of the last day' }).waitFor();
  if (part === 'audit') await page.getByText('No SFTP session is open.').waitFor();
  else await page.getByText('No witness has signed a checkpoint.').waitFor();
}
