import { expect, it } from 'vitest';
import { findAccessViolations, type WatchedPage } from '../open-browser.ts';
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
  it('creates, changes and deletes objects, names the line of what is refused, and overwrites no change of others', async () => {
    const { page, takeErrors } = await open('/configuration');
    await page.getByRole('link', { name: 'Queues' }).waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.getByRole('cell', { name: 'source default' }).waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    const settings = page.getByLabel('Settings', { exact: true });
    await settings.fill('name: Night Queue\npriority: 5\nparallelism: many\n');
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('line 3').waitFor();
    await settings.fill('{ "name": "Night Queue", "priority": 5, "parallelism": 2 }');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Night Queue' }).waitFor();
    await page.getByText('Owner: the API').waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    const path = '/platform-application/api/v1/queues/Night%20Queue';
    const json = { name: 'Night Queue', priority: 5, parallelism: 3 };
    await rig()
      .platform.http()
      .put(path, { bearer: await rig().platform.adminToken(), json });
    await settings.fill('name: Night Queue\npriority: 5\nparallelism: 4\n');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed it').waitFor();
    await page.getByRole('region', { name: 'What is stored now' }).getByText('parallelism: 3').waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('parallelism: 3').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await settings.fill('name: Night Queue\npriority: 5\nparallelism: 4\n');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await page.getByText('parallelism: 4').waitFor();

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Queues' }).waitFor();
    await page.getByRole('link', { name: 'Night Queue' }).waitFor({ state: 'detached' });
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
      await first.or(page.getByText('There is no such object.')).first().waitFor();
      expect(await page.getByRole('alert').count(), kind).toBe(0);
      await page.goBack();
    }
    await page.goto(`${rig().platform.url}/console/configuration/users/acme?actor=acme`);
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.waitFor();
    expect(await settings.textContent()).not.toMatch(/^password:/mu);
    await page.getByText('A configuration source owns it').waitFor();
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    expect(await findAccessViolations(page)).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });

  it('plans a document, shows what it would change, and applies it', async () => {
    const { page, takeErrors } = await open('/configuration-document');
    await page.getByRole('button', { name: 'Load source default' }).click();
    const document = page.getByLabel('Document', { exact: true });
    const text = await document.inputValue();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('The document changes nothing.').waitFor();
    await document.fill(text.replace('Writes a text file.', '<b>Writes</b> a text file.'));
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('0 created, 1 modified, 0 deleted').waitFor();
    await page.getByRole('cell', { name: '<b>Writes</b> a text file.' }).waitFor();
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
