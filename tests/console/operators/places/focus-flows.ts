import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { OperatorsRig } from '../open-operators.ts';

/** The focus of keyboard users when what has it vanishes. */
export function testFocus(rig: () => OperatorsRig): void {
  it('the focus goes to the next session, or to the heading, when a row vanishes with it or behind its dialog', async () => {
    const openSession = () => openSftpSession({ port: rig().platform.sftpPort, user: 'acme', password: 'acme-demo' });
    await using _first = openSession();
    await using second = openSession();
    await using _third = openSession();
    const { page, takeErrors } = await rig().logIn('olga');
    await page.setViewportSize({ width: 1_100, height: 500 });
    const group = page.getByRole('group', { name: 'Sessions over SFTP' });
    const ends = group.getByRole('button', { name: /^End the session of acme from/u });
    await expect.poll(() => ends.count()).toBe(3);

    // The row vanishes by itself.
    await ends.nth(1).focus();
    second.send('bye');
    await second.exited;
    await expect.poll(() => ends.count()).toBe(2);
    await expect.poll(() => focusedIn(page)).toMatch(/^End the session of acme from/u);

    // The row vanishes by the dialog.
    await endByKeyboard(page);
    await expect.poll(() => ends.count()).toBe(1);
    await expect.poll(() => focusedIn(page)).toMatch(/^End the session of acme from/u);
    await endByKeyboard(page);
    await page.getByText('No SFTP session is open.').waitFor();
    await expect.poll(() => focusedIn(page)).toBe('Sessions over SFTP');
    const top = `document.querySelector('main').scrollTop + document.documentElement.scrollTop`;
    expect(await page.evaluate<number>(top)).toBeGreaterThan(0);
    expect(takeErrors()).toEqual([]);
  });
}

async function endByKeyboard(page: Page): Promise<void> {
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
}

/** The name of what has the focus. */
async function focusedIn(page: Page): Promise<string> {
  return await page.evaluate<string>(
    'document.activeElement.getAttribute("aria-label") ?? (document.activeElement === document.body ? "" : document.activeElement.textContent)',
  );
}
