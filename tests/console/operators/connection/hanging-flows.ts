import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAsAdministrator, type OperatorsRig } from '../open-operators.ts';

const now = {
  queue: 'Default Queue',
  sessions: 'No SFTP session is open.',
  checkpoint: 'No witness has signed a checkpoint.',
};

/** "Now" while a service has stopped without a word: its requests have no answer, and hold their connections. */
export function testHangingServices(rig: () => OperatorsRig): void {
  /**
   * Opens three windows while a service hangs, with what they must show, and the section that cannot be read. Returns what went wrong in
   * the browser.
   */
  const openWhileHangs = async (part: 'audit' | 'sftp-gateway', shown: string, failing: string): Promise<string[]> => {
    const { page, takeErrors } = await openAsAdministrator(rig(), '/');
    await page.getByText(now.queue).first().waitFor();
    onTestFinished(() => rig().platform.signal(part, 'SIGCONT'));
    await rig().platform.signal(part, 'SIGSTOP');
    const before = Date.now();
    const windows = [page, await page.context().newPage(), await page.context().newPage()];
    await page.reload();
    for (const added of windows.slice(1)) await added.goto(page.url());
    for (const one of windows) {
      await one.getByText(now.queue).first().waitFor();
      await one.getByText('There is no client connection.').waitFor();
      await one.getByText(shown).waitFor();
      await processRow(one, part).getByText('Down', { exact: true }).waitFor();
    }
    expect(Date.now() - before).toBeLessThan(25_000);
    for (const one of windows) {
      const section = one.getByRole('region', { name: failing, exact: true });
      await section.getByText('The server has not answered for 15 s.').waitFor();
    }
    await rig().platform.signal(part, 'SIGCONT');
    for (const one of windows) {
      await processRow(one, part).getByText('Up', { exact: true }).waitFor();
      for (const text of [now.sessions, now.checkpoint]) await one.getByText(text).waitFor();
      await expect.poll(() => one.getByText('The server has not answered for').count()).toBe(0);
    }
    return takeErrors();
  };

  describe('while a service hangs, "Now" shows that it is down, and all else, within 25 seconds, in three windows', () => {
    it('if it is the audit service', async () => {
      expect(await openWhileHangs('audit', now.sessions, 'Audit log')).toEqual([]);
    });

    it('if it is the SFTP gateway', async () => {
      expect(await openWhileHangs('sftp-gateway', now.checkpoint, 'Login bans')).toEqual([]);
    });
  });
}

/** The row of a process in the health of the platform. */
function processRow(page: Page, part: string) {
  return page.getByRole('row').filter({ hasText: new RegExp(`^${part} on `, 'u') });
}
