import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import type { OperatorsRig } from '../open-operators.ts';

/** Dialogs that are open while somebody else changes what they are about. */
export function testKeptDialogs(rig: () => OperatorsRig): void {
  describe('dialogs over what changes meanwhile, in the console', () => {
    const openSession = () =>
      openSftpSession({ port: rig().platform.sftpPort, user: 'globex', password: 'globex-demo' });

    it('a dialog that pauses a queue stays what it is when somebody else pauses the queue, and says so', async () => {
      const { platform } = rig();
      const bearer = await platform.adminToken();
      const change = (what: string) =>
        platform.http().post(`/job-manager/queues/Default%20Queue/${what}?reason=meanwhile`, { bearer });
      const { page, takeErrors } = await rig().logIn('olga');
      await page.getByRole('button', { name: 'Pause: Default Queue' }).click();
      const dialog = page.getByRole('dialog', { name: 'Pause the queue Default Queue?' });
      await dialog.getByRole('textbox', { name: 'Why' }).fill('typed before');
      expect((await change('pause')).status).toBe(200);
      await dialog.getByRole('alert').getByText('was paused meanwhile by somebody else').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      const pause = dialog.getByRole('button', { name: 'Pause', exact: true });
      expect(await pause.isDisabled()).toBe(true);
      expect(await dialog.getByRole('textbox', { name: 'Why' }).inputValue()).toBe('typed before');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Resume: Default Queue' }).click();
      const resume = page.getByRole('dialog', { name: 'Resume the queue Default Queue?' });
      await resume.waitFor();
      expect((await change('resume')).status).toBe(200);
      await resume.getByRole('alert').getByText('was resumed meanwhile by somebody else').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('the dialogs of a session that has ended stay and say so; its user can be frozen all the same', async () => {
      const { platform } = rig();
      const { page, takeErrors } = await rig().logIn('olga');
      const overSftp = page.getByRole('group', { name: 'Sessions over SFTP' });
      const first = openSession();
      await overSftp.getByRole('button', { name: /^End the session of globex from .* since \w+ \d/u }).click();
      const end = page.getByRole('alertdialog', { name: 'End this session of globex?' });
      await end.getByText('Since').waitFor();
      await first.close();
      await end.getByText('The session has ended meanwhile.').waitFor();
      expect(await end.getByRole('button', { name: 'End' }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      const second = openSession();
      await overSftp.getByRole('button', { name: 'Freeze globex' }).click();
      const freeze = page.getByRole('alertdialog', { name: 'Freeze globex?' });
      await second.close();
      await freeze.getByText('The session has ended meanwhile. globex can be frozen all the same.').waitFor();
      await freeze.getByRole('button', { name: 'Freeze' }).click();
      await freeze.waitFor({ state: 'detached' });
      await page
        .getByRole('group', { name: 'Frozen users' })
        .getByRole('row', { name: /^globex/u })
        .waitFor();
      const bearer = await platform.adminToken();
      const thaw = '/platform-application/api/v1/infrastructure/users/globex/freeze';
      expect((await platform.http().delete(thaw, { bearer })).status).toBeLessThan(300);
      expect(takeErrors()).toEqual([]);
    });
  });
}
