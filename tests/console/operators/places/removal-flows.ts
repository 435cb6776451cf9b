import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import { expect, it } from 'vitest';
import { findAccessViolations, type WatchedPage } from '../../open-browser.ts';
import type { OperatorsRig } from '../open-operators.ts';

/** The page of a partner, and the end of a partner. */
export function testPartnerLinks(props: {
  readonly open: (address: string) => Promise<WatchedPage>;
  readonly rig: () => OperatorsRig;
}): void {
  const { open, rig } = props;

  it('the page of a partner leads to its jobs and files, and has its sessions, whose users lead to their settings', async () => {
    const { platform } = rig();
    await using _session = openSftpSession({ port: platform.sftpPort, user: 'acme', password: 'acme-demo' });
    const [job] = await rig().submit(1);
    const { page, takeErrors } = await open('/partners/acme');
    const sessions = page.getByRole('group', { name: 'Sessions over SFTP' });
    expect(await sessions.getByRole('link', { name: 'acme' }).first().getAttribute('href')).toBe(
      '/console/configuration/users/acme',
    );
    const other = await open('/partners/globex');
    await other.page.getByText('No SFTP session is open.').waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Jobs of the partner' }).click();
    await page.getByRole('link', { name: String(job), exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?actor=acme');
    await page.goBack();
    await page.getByRole('link', { name: 'Files of the partner' }).click();
    await page.getByRole('link', { name: '/inbox/invoice-1.csv' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('?actor=acme');
    await page.goto(`${platform.url}/console/`);
    await page.getByRole('group', { name: 'Sessions over SFTP' }).getByRole('link', { name: 'acme' }).first().click();
    await page.getByRole('heading', { name: 'User: acme', exact: true }).waitFor();
    expect([takeErrors(), other.takeErrors()]).toEqual([[], []]);
  });

  it('a partner is deleted with everything that belongs to it, after a look at all of it, or not at all', async () => {
    const { platform } = rig();
    const bearer = await platform.adminToken();
    const api = '/platform-application/api/v1';
    const owned = (collection: string, name: string) => ({ collection, name, actor: 'leaving' });
    const changes = [
      { object: { collection: 'actors', name: 'leaving' }, create: { type: 'Partner' } },
      { object: owned('groups', 'leavers'), create: {} },
      { object: owned('users', 'leaving-user'), create: { groups: ['leavers'], password: 'a-first-password' } },
      { object: owned('virtual-file-systems', 'leaving-files'), create: { folders: ['/inbox'] } },
      {
        object: owned('connection-contracts', 'leaving-sftp'),
        create: { cluster: 'cluster1', server: 'sftp-server', clauses: [{ group: 'leavers', vfs: 'leaving-files' }] },
      },
    ];
    const made = await platform.http().post(`${api}/configuration/changes`, { bearer, json: { changes } });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    const { page, takeErrors } = await open('/configuration/actors/leaving');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete leaving and everything that belongs to it?' });
    const list = dialog.getByRole('list', { name: 'What belongs to leaving' });
    expect(await list.getByRole('link').allTextContents()).toEqual([
      'Connection Contract: leaving-sftp',
      'Virtual file system: leaving-files',
      'User: leaving-user',
      'Group: leavers',
    ]);
    await dialog.getByText('Actor · leaving', { exact: true }).waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await list.getByRole('link', { name: 'User: leaving-user' }).click();
    await page.getByRole('heading', { name: 'User: leaving-user' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Actor · leaving', { exact: true }).waitFor();
    // What came meanwhile is not deleted unseen: then nothing is.
    const late = { name: 'late', actor: 'leaving', password: 'a-first-password' };
    expect((await platform.http().post(`${api}/users`, { bearer, json: late })).status).toBe(201);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').getByText('late').waitFor();
    expect((await platform.http().get(`${api}/users/leaving-user`, { bearer })).status).toBe(200);
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('button', { name: 'Delete' }).click();
    await list.getByRole('link', { name: 'User: late' }).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Actors' }).waitFor();
    expect((await platform.http().get(`${api}/actors/leaving`, { bearer })).status).toBe(404);
    expect((await platform.http().get(`${api}/users/leaving-user`, { bearer })).status).toBe(404);
    // The refusal was expected.
    expect(takeErrors().filter((error) => !error.includes('409'))).toEqual([]);
  });
}
