import { expect, it } from 'vitest';
import { findAccessViolations, type WatchedPage } from '../open-browser.ts';
import type { OperatorsRig } from './open-operators.ts';

const api = '/platform-application/api/v1';

/** Two operators edit the permissions of one virtual file system, on a platform that other tests share. */
export function testPermissionTables({
  open,
  rig,
}: {
  /** Opens a page below `/console` as an administrator. */
  readonly open: (address: string) => Promise<WatchedPage>;
  readonly rig: () => OperatorsRig;
}): void {
  it('a table of permissions that somebody else has changed meanwhile keeps the changes of both', async () => {
    const bearer = await rig().platform.adminToken();
    const client = rig().platform.http();
    const user = { name: 'pia', actor: 'pied-piper' };
    const files = { name: 'piper-files', actor: 'pied-piper' };
    const aclOf = (...permissions: string[]) => [{ path: '/', grants: [{ user: 'pia', permissions }] }];
    const vfs = `${api}/virtual-file-systems`;
    const post = async (address: string, json: unknown) =>
      expect((await client.post(address, { bearer, json })).status).toBe(201);
    await post(`${api}/actors`, { name: 'pied-piper', type: 'Partner' });
    await post(`${api}/users`, user);
    await post(vfs, { ...files, acl: aclOf('list') });
    const put = async (...permissions: string[]) =>
      expect(
        (await client.put(`${vfs}/piper-files`, { bearer, json: { ...files, acl: aclOf(...permissions) } })).status,
      ).toBe(200);

    const { page, takeErrors } = await open('/partners/pied-piper');
    const button = (name: string) => page.getByRole('button', { name });
    const box = (name: string) => page.getByRole('checkbox', { name: `${name}, row 1`, exact: true });
    await button('Edit: Permissions in piper-files').click();
    await box('upload').check();
    await button('Show the difference').click();
    await page.getByRole('heading', { name: 'What changes' }).waitFor();
    await put('list', 'delete');
    await page.getByRole('alert').getByText('Somebody else has changed it').waitFor({ timeout: 2_000 });
    // What was to be saved is out of date.
    expect(await button('Save').count()).toBe(0);
    await page.getByRole('region', { name: 'What is stored now' }).getByText('/ · pia: list, delete').waitFor();
    const difference = page.getByRole('group', { name: 'How your text differs from what is stored' });
    await difference.getByRole('row', { name: '/ · pia list, delete list, upload' }).waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await button('Go on from the stored version').click();
    for (const name of ['list', 'upload', 'delete']) expect(await box(name).isChecked()).toBe(true);

    // A row that one removes and the other changes.
    await page.getByRole('button', { name: 'Delete, row 1' }).click();
    await put('list', 'download');
    const both = page.getByRole('group', { name: 'What both of you have changed' });
    await both.getByRole('row', { name: '/ · pia list, download —' }).waitFor({ timeout: 2_000 });
    await button('with the stored values of these').click();
    expect(await box('download').isChecked()).toBe(true);

    // What is deleted meanwhile stays on the page as long as it is edited.
    await box('rename').check();
    expect((await client.delete(`${vfs}/piper-files?actor=pied-piper`, { bearer })).status).toBe(204);
    await page.getByText('Somebody else has deleted it.').waitFor({ timeout: 2_000 });
    await button('Show the difference').click();
    await button('Create it again').click();
    await page.getByRole('row', { name: '/ pia yes yes – – yes –' }).waitFor();
    expect(takeErrors()).toEqual([]);
  });

  it('a table of permissions whose partner somebody else deletes meanwhile stays, to be copied', async () => {
    const bearer = await rig().platform.adminToken();
    const client = rig().platform.http();
    const actor = 'aviato';
    const acl = [{ path: '/', grants: [{ user: 'erlich', permissions: ['list'] }] }];
    const collections = ['actors', 'users', 'virtual-file-systems'] as const;
    const objects = [
      { name: actor, type: 'Partner' },
      { name: 'erlich', actor },
      { name: 'aviato-files', actor, acl },
    ];
    for (const [index, json] of objects.entries())
      expect((await client.post(`${api}/${collections[index]}`, { bearer, json })).status).toBe(201);

    const { page, takeErrors } = await open(`/partners/${actor}`);
    await page.getByRole('button', { name: 'Edit: Permissions in aviato-files' }).click();
    await page.getByRole('checkbox', { name: 'upload, row 1', exact: true }).check();
    const removed = objects.map(({ name }, index) => ({
      object: { collection: collections[index], name, ...(index > 0 && { actor }) },
      delete: true,
    }));
    const json = { changes: removed.toReversed() };
    expect((await client.post(`${api}/configuration/changes`, { bearer, json })).status).toBe(201);
    await page.getByText('Somebody else has deleted the partner aviato').waitFor({ timeout: 2_500 });
    expect(await page.getByRole('checkbox', { name: 'upload, row 1', exact: true }).isChecked()).toBe(true);
    const draft = page.getByRole('region', { name: 'What you have changed in aviato-files' });
    expect(await draft.textContent()).toMatch(/permissions:\s+- list\s+- upload/u);
    expect(await page.getByRole('button', { name: 'Show the difference' }).isDisabled()).toBe(true);
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await draft.waitFor({ state: 'detached' });
    takeErrors();
  });
}
