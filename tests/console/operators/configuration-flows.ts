import { expect, it } from 'vitest';
import { findAccessViolations, keepScreenshot, type WatchedPage } from '../open-browser.ts';
import type { OperatorsRig } from './open-operators.ts';

/** The flows of the pages of the configuration, on a platform that other tests share. */
export function testConfiguration({
  open,
  rig,
}: {
  /** Opens a page below `/console` as an administrator. */
  readonly open: (address: string) => Promise<WatchedPage>;
  readonly rig: () => OperatorsRig;
}): void {
  it('creates, changes and deletes objects, which others see within two seconds, names the line of what is refused, and overwrites no change of others', async () => {
    const { page, takeErrors } = await open('/configuration');
    await page.getByRole('link', { name: 'Queues' }).waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.getByRole('cell', { name: 'source default' }).waitFor();
    // The page of another operator, which shows the same list.
    const other = await open('/configuration');
    await other.page.getByRole('link', { name: 'Queues' }).click();
    await other.page.getByRole('cell', { name: 'source default' }).waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    const settings = page.getByLabel('Settings', { exact: true });
    // The check is there, and names nothing before something was typed.
    await page.getByRole('button', { name: 'Suggest what can stand here' }).waitFor();
    expect(await page.getByText(/settings? (is|are) wrong/u).count()).toBe(0);
    await settings.fill('name: Night Queue\npriority: 5\nparallelism: many\n');
    expect(await findAccessViolations(page)).toEqual([]);
    const review = page.getByRole('button', { name: 'Show the difference' });
    await review.click();
    await page.getByRole('alert').getByRole('button', { name: 'line 3, column 1' }).click();
    expect(await page.evaluate('window.getSelection()?.toString()')).toBe('parallelism: many');
    // What the server has refused is not said once more by the check.
    await page.getByText('1 setting is wrong:').waitFor({ state: 'detached' });
    // What was corrected is not said any more, and what was not is.
    await settings.fill('name: Night\npriority: 5\nparallelism: many\n');
    await page.getByRole('alert').getByRole('button', { name: 'line 3, column 1' }).waitFor();
    await settings.fill("name: ''\npriority: 5\nparallelism: 2\n");
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByText('1 setting is wrong:').waitFor();
    await settings.fill('{ "name": "Night Queue", "priority": 5, "parallelism": 2 }');
    await review.click();
    await page.getByRole('cell', { name: 'parallelism' }).waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Night Queue' }).waitFor();
    await page.getByText('Owner: the API').waitFor();
    const created = Date.now();
    await other.page.getByRole('link', { name: 'Night Queue' }).waitFor();
    expect(Date.now() - created).toBeLessThan(2_000);
    await other.page.getByRole('link', { name: 'Night Queue' }).click();
    await other.page.getByText('parallelism: 2').waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    const path = '/platform-application/api/v1/queues/Night%20Queue';
    const json = { name: 'Night Queue', priority: 5, parallelism: 3 };
    await rig()
      .platform.http()
      .put(path, { bearer: await rig().platform.adminToken(), json });
    await settings.fill('name: Night Queue\npriority: 5\nparallelism: 4\n');
    await review.click();
    await page.getByText('Somebody else has changed it').waitFor();
    await page.getByRole('region', { name: 'What is stored now' }).getByText('parallelism: 3').waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('parallelism: 3').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await settings.fill('name: Night Queue\npriority: 5\nparallelism: 4\n');
    await review.click();
    await page.getByRole('row', { name: 'parallelism 3 4' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await page.getByText('parallelism: 4').waitFor();
    const changed = Date.now();
    await other.page.getByText('parallelism: 4').waitFor();
    expect(Date.now() - changed).toBeLessThan(2_000);
    await other.page.goBack();
    await other.page.getByRole('link', { name: 'Night Queue' }).waitFor();

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByText('Deleted').waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Queues' }).waitFor();
    const deleted = Date.now();
    await page.getByRole('link', { name: 'Night Queue' }).waitFor({ state: 'detached' });
    await other.page.getByRole('link', { name: 'Night Queue' }).waitFor({ state: 'detached' });
    expect(Date.now() - deleted).toBeLessThan(2_000);
    expect([...takeErrors(), ...other.takeErrors()]).toEqual([]);
  });

  it('shows the built-in roles, and offers no change of them', async () => {
    const { page, takeErrors } = await open('/configuration/roles');
    await page.getByRole('row', { name: 'Auditors the platform' }).waitFor();
    await page.getByRole('link', { name: 'Security officers' }).click();
    await page.getByText('It is built in, and cannot be changed.').waitFor();
    await page.getByText('- audit:read').waitFor();
    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual([]);
    expect(await findAccessViolations(page)).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });

  it('shows each kind of objects, with their owners and without passwords', async () => {
    const { page, takeErrors } = await open('/configuration');
    const navigation = page.getByRole('navigation', { name: 'Objects' });
    const links = navigation.getByRole('link');
    await links.first().waitFor();
    const kinds = await links.allTextContents();
    expect(kinds.length).toBeGreaterThanOrEqual(15);
    for (const kind of kinds) {
      await navigation.getByRole('link', { name: kind, exact: true }).click();
      await page.getByRole('heading', { name: kind, exact: true }).waitFor();
      const first = page.getByRole('row').nth(1).getByRole('link');
      await first
        .or(page.getByText(/^There are no /u))
        .first()
        .waitFor();
      expect(await page.getByRole('alert').count(), kind).toBe(0);
      await page.goBack();
    }
    expect(kinds).toEqual(expect.arrayContaining(['Servers of clusters', 'Expectations of contracts']));
    await page.goto(`${rig().platform.url}/console/configuration/servers?cluster=cluster1`);
    await page.getByRole('cell', { name: 'sftp-server', exact: true }).waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.goto(`${rig().platform.url}/console/configuration/expectations?contract=invoices&actor=acme&name=year*`);
    await page.getByRole('row').filter({ hasText: 'yearly' }).getByRole('link', { name: 'invoices' }).click();
    await page.getByRole('region', { name: 'Settings' }).getByText('yearly').waitFor();
    await page.goto(`${rig().platform.url}/console/configuration/users/acme?actor=acme`);
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.waitFor();
    expect(await settings.textContent()).not.toMatch(/^password:/mu);
    await page.getByText('A configuration source owns it').waitFor();
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    expect(await findAccessViolations(page)).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });

  it('forces a change of what a source owns, with a reason, passes it on, and takes it back', async () => {
    const { page, takeErrors } = await open('/configuration/users/initech?actor=initech');
    await page.getByText('A configuration source owns it').waitFor();
    await page.getByText('platform.yaml').waitFor();
    await page.getByRole('button', { name: 'Force a change' }).click();
    const settings = page.getByLabel('Settings', { exact: true });
    const before = await settings.inputValue();
    await settings.fill(before.replace('enabled: true', 'enabled: false'));
    await page.getByLabel('Reason').fill('<img src=x onerror=alert(1)>');
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('row', { name: 'enabled true false' }).waitFor();
    // Somebody else forces a change after the look at the difference.
    const object = { collection: 'users', name: 'initech' };
    const force = (patch: object, bearer: string) =>
      rig()
        .platform.http()
        .post('/platform-application/api/v1/configuration/force', { bearer, json: { object, patch, reason: 'x' } });
    const bearer = await rig().platform.adminToken();
    expect((await force({ maxSessions: 77 }, bearer)).status).toBe(204);
    await page.getByRole('button', { name: 'Force a change' }).click();
    await page.getByText('Somebody else has changed it').waitFor();
    await page.getByRole('region', { name: 'What is stored now' }).getByText('maxSessions: 77').waitFor();
    expect((await force({ maxSessions: null }, bearer)).status).toBe(204);
    await page.getByText('Somebody else has changed it').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('row', { name: 'enabled true false' }).waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Force a change' }).click();
    await page.getByText('enabled: false').waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();

    await page.getByRole('button', { name: 'Give to the API' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('must not describe it').waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Give to the API' }).click();
    await page.getByText('Owner: the API').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await settings.fill(before);
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('enabled: true').waitFor();
    await page.getByRole('button', { name: 'Give to a source' }).click();
    await dialog.getByLabel('Source').fill('default');
    await dialog.getByRole('button', { name: 'Give to a source' }).click();
    await page.getByText('Owner: source default').waitFor();
    expect(takeErrors()).toEqual([]);
  });

  it('shows hostile names and values as text, also on a narrow dark page', async () => {
    const { page, takeErrors } = await open('/configuration/workflow-templates?new=yes');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark' });
    const name = '<b onclick=alert(1)>x';
    const description = `</textarea><script>alert(1)</script>\u202e${'long '.repeat(2_000)}`;
    const steps = [{ name: 'one', uses: 'log', with: { message: description.slice(0, 900) } }];
    await page.getByLabel('Settings', { exact: true }).fill(JSON.stringify({ name, description, steps }));
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('heading', { name: 'What changes' }).or(page.getByRole('alert')).first().waitFor();
    expect(await page.locator('b[onclick], main script').count()).toBe(0);
    expect(await findAccessViolations(page)).toEqual([]);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(320);
    expect(takeErrors()).toEqual([]);
  });

  it('plans a document, shows what it would change, and applies it', async () => {
    const { page, takeErrors } = await open('/configuration-document');
    await page.getByText('Empty: the source default, unless the document names one.').waitFor();
    await page.getByRole('button', { name: 'Load source default' }).click();
    const document = page.getByLabel('Document', { exact: true });
    const text = await document.inputValue();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('The document changes nothing.').waitFor();
    await document.fill(text.replace('Writes a text file.', '<b>Writes</b> a text file.'));
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('0 created, 1 modified, 0 deleted').waitFor();
    await page.getByRole('cell', { name: '<b>Writes</b> a text file.' }).waitFor();
    await keepScreenshot(page, 'console-plan');
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The plan is in force.').waitFor();
    await document.fill('queues:\n  - name: 7\n');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.goto(`${rig().platform.url}/console/configuration-drift`);
    await page.getByText('All that sources have applied is in force').waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });

  it('explains why a user may do something, or not', async () => {
    const { page, takeErrors } = await open('/access?user=acme&path=/outbox/x');
    await page.getByText('It is allowed.').waitFor();
    await page.getByLabel('Operation').selectOption('upload');
    await page.getByText('It is refused.').waitFor();
    await page.getByRole('cell', { name: 'permission', exact: true }).waitFor();
    expect(page.url()).toContain('operation=upload');
    expect(await findAccessViolations(page)).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });
}
