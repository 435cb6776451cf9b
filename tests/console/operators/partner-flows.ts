import { expect, it } from 'vitest';
import { findAccessViolations, type WatchedPage } from '../open-browser.ts';
import type { OperatorsRig } from './open-operators.ts';

/** The flows of partners, workflows and secrets, on a platform that other tests share. */
export function testPartners({
  open,
  rig,
}: {
  /** Opens a page below `/console` as an administrator. */
  readonly open: (address: string) => Promise<WatchedPage>;
  readonly rig: () => OperatorsRig;
}): void {
  it('creates a partner in one form, all or nothing, shows everything of it, and edits its permissions', async () => {
    const { page, takeErrors } = await open('/new-partner');
    const review = page.getByRole('button', { name: 'Show the difference' });
    await page.getByLabel('Name of the partner').fill('acme');
    await review.click();
    await page.getByRole('alert').getByText('exists already').waitFor();
    await page.getByLabel('Name of the partner').fill('hooli');
    await page.getByLabel('First password').fill('a first password');
    await review.click();
    await page.getByText('Connection Contract · hooli-').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('a first password');
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the partner' }).click();
    await page.getByRole('heading', { name: 'Partner: hooli', exact: true }).waitFor();
    await page.getByRole('link', { name: 'hooli-files' }).waitFor();
    await page.getByText('0 files', { exact: true }).waitFor();
    await page.getByRole('row', { name: /^hooli .*none noted/u }).waitFor();
    const client = rig().platform.http();
    const bearer = await rig().platform.adminToken();
    const unbound = { name: 'unbound', actor: 'hooli' };
    expect((await client.post('/platform-application/api/v1/users', { bearer, json: unbound })).status).toBe(201);
    const past = '2020-01-01T00:00:00Z';
    const expired = { name: 'expired-user', actor: 'hooli', expires: past };
    expect((await client.post('/platform-application/api/v1/users', { bearer, json: expired })).status).toBe(201);
    await page.getByRole('row', { name: /^expired-user expired since Jan 01, 2020/u }).waitFor();
    const unboundRow = page.getByRole('row', { name: /^unbound .*in no Connection Contract/u });
    await unboundRow.getByRole('link', { name: 'Explain what unbound may do on /', exact: true }).waitFor();
    await page.getByLabel('Show the keys of hooli').click();
    await page.getByText('There are no SSH keys.').waitFor();

    await page.getByRole('button', { name: 'Edit: Permissions in hooli-files' }).click();
    await page.getByRole('button', { name: 'Add a row' }).click();
    await page.getByLabel('Path, row 1').fill('/inbox');
    await page.getByLabel('User or group, row 1').fill('hooli');
    await page.getByLabel('upload, row 1').check();
    expect(await findAccessViolations(page)).toEqual([]);
    const { page: second, takeErrors: takeErrorsOfSecond } = await open('/partners/hooli');
    await second.getByRole('link', { name: 'hooli-files' }).waitFor();
    await review.click();
    await page.getByRole('cell', { name: 'acl', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    // The other operator sees it.
    await second.getByRole('row', { name: '/inbox hooli yes yes yes – – –' }).waitFor({ timeout: 2_000 });
    expect(takeErrorsOfSecond()).toEqual([]);
    await second.close();
    await page.getByRole('row', { name: '/inbox hooli yes yes yes – – –' }).waitFor();
    await page.getByRole('link', { name: 'Explain what hooli may do on /inbox' }).click();
    // A first password has to be changed at the first login.
    await page.getByText('User hooli must change the password').waitFor();
    expect(takeErrors()).toEqual([]);
  });

  it('completes and checks a workflow as it is typed, and runs it dryly', async () => {
    const { page, takeErrors } = await open('/configuration/workflow-templates?new=yes');
    const settings = page.getByLabel('Settings', { exact: true });
    await settings.fill('name: dry\nsteps:\n  - name: say\n    uses: lo');
    await page.getByText('settings are wrong').or(page.getByText('setting is wrong')).first().waitFor();
    await settings.press('ControlOrMeta+End');
    await page.getByRole('button', { name: 'Suggest what can stand here' }).click();
    await page.getByRole('menuitem', { name: 'log', exact: true }).waitFor();
    await page.locator('[role=menu]:focus-within').waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => settings.inputValue()).toMatch(/uses: log$/u);
    const message = '{ message: "${{ file.name }} <b>x</b>" }';
    await settings.fill(`name: dry\nsteps:\n  - name: say\n    uses: log\n    with: ${message}\n`);
    await page.getByText('The form is right. Expressions, and names of steps').waitFor();
    const text = await settings.inputValue();
    await settings.fill(text.replace('file.name', 'file.nam'));
    await page.getByLabel('Path of the file').fill('/inbox/march.csv');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page
      .getByRole('alert')
      .getByRole('button', { name: /^line 5/u })
      .waitFor();
    await settings.fill(text);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('Completed, of the text above').waitFor();
    await page.getByText('march.csv <b>x</b>').first().waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Workflow template: dry', exact: true }).waitFor();
    await page.getByLabel('Path of the file').fill('/inbox/march.csv');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('Completed, of revision 1').waitFor();
    await page.getByText('march.csv <b>x</b>').first().waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit' }).click();
    await settings.fill(text.replace('name: say', 'name: tell'));
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    const revisions = page.getByRole('group', { name: 'Revisions' });
    await revisions.getByRole('row', { name: /^2 in force/u }).waitFor();
    await revisions.getByRole('button', { name: 'Show revision 1' }).click();
    await page.getByRole('region', { name: 'Revision 1' }).getByText('name: say').waitFor();
    await page.getByRole('group', { name: 'What has changed since revision 1' }).getByText('tell').waitFor();
    await page.waitForURL(/revision=1$/u);
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByLabel('Path of the file').fill('no path');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('alert').waitFor();
    expect(takeErrors()).toEqual([]);
  });

  it('shows what expires, and secrets without their values', async () => {
    const bearer = await rig().platform.adminToken();
    const api = '/platform-application/api/v1';
    const key = await rig()
      .platform.http()
      .post(`${api}/api-keys`, { bearer, json: { name: 'ci' } });
    expect(key.status).toBe(201);
    const { page, takeErrors } = await open('/expiries');
    await page.getByRole('cell', { name: 'API key' }).waitFor();
    await page.getByText('Nothing expires within 30 days.').waitFor();
    await page.getByRole('cell', { name: 'Signing key: replace it' }).first().waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'ci', exact: true }).click();
    await page.getByRole('group', { name: 'Your API keys' }).getByRole('cell', { name: 'ci', exact: true }).waitFor();
    await page.goto(`${rig().platform.url}/console/secrets`);
    await page.getByRole('button', { name: 'Store a secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('console-secret');
    // Line breaks are kept, which a password field would drop, and its characters are not shown.
    const value = dialog.getByLabel('Value', { exact: true });
    await value.fill('canary-of\nthe-console');
    expect(await page.evaluate('getComputedStyle(document.querySelector("textarea")).webkitTextSecurity')).toBe('disc');
    await dialog.getByText('2 lines, 21 characters').waitFor();
    await dialog.getByLabel('choose a file').setInputFiles({
      name: 'key.pem',
      mimeType: 'application/x-pem-file',
      buffer: Buffer.from('-----BEGIN KEY-----\nthe canary\n-----END KEY-----\n'),
    });
    await dialog.getByText('3 lines, 48 characters').waitFor();
    const stored = page.waitForRequest((request) => request.method() === 'PUT');
    expect(await findAccessViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Store a secret' }).click();
    expect((await stored).postDataJSON()).toEqual({ value: '-----BEGIN KEY-----\nthe canary\n-----END KEY-----' });
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'console-secret', exact: true }).waitFor();
    expect(await page.content()).not.toContain('canary');
    await page.getByRole('button', { name: 'Delete: console-secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no secrets.').waitFor();
    await page.getByRole('button', { name: 'Generate an SSH key' }).click();
    await dialog.getByLabel('Name').fill('console-key');
    expect(await findAccessViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Generate' }).click();
    await dialog
      .getByRole('region', { name: 'Public key' })
      .getByText(/^ssh-ed25519 \S+ waybill$/u)
      .waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Delete: console-key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no secrets.').waitFor();
    expect(takeErrors()).toEqual([]);
  });
}
