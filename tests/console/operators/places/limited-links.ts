import { expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import { sendLogin } from '../../send-login.ts';
import type { OperatorsRig } from '../open-operators.ts';

/** What an operator of one partner is offered on pages about things of all. */
export function testLimitedLinks(rig: () => OperatorsRig): void {
  it('an operator of one partner is led to no page that is refused, and creates nothing that would be', async () => {
    const { url } = rig().platform;
    const [job] = await rig().submit(1);
    const { page, takeErrors } = await rig().logIn('lena', `/jobs/${job}`);
    const facts = page.getByRole('region', { name: 'Facts' });
    await facts.getByRole('link', { name: 'invoices / write-report' }).waitFor();
    await facts.getByText('Default Queue', { exact: true }).waitFor();
    for (const name of ['Default Queue', 'revision 1'])
      expect(await facts.getByRole('link', { name, exact: true }).count(), name).toBe(0);
    expect(await page.locator('a[href*="/workflow-templates/"], a[href*="/queues/"]').count()).toBe(0);
    await page.goto(`${url}/console/partners/acme`);
    await page.getByRole('group', { name: 'Contracts' }).getByText('compress-file').first().waitFor();
    expect(await page.locator('a[href*="/workflow-templates/"]').count()).toBe(0);
    for (const address of ['queues', 'workflow-templates', 'queues/Default%20Queue', 'clusters', 'servers']) {
      await page.goto(`${url}/console/configuration/${address}`);
      await page.getByRole('heading', { name: 'This page is not for you' }).waitFor();
      expect(await page.getByRole('button', { name: 'Create' }).count(), address).toBe(0);
    }
    expect(await findAccessViolations(page)).toEqual([]);
    await page.goto(`${url}/console/configuration/actors`);
    await page.getByRole('link', { name: 'acme', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0);
    expect(takeErrors()).toEqual([]);
  });

  it('a writer of one partner stores secrets of that partner, without a guess at its name', async () => {
    const bearer = await rig().platform.adminToken();
    const api = '/platform-application/api/v1';
    const role = {
      name: 'Writers of acme',
      permissions: ['configuration:read', 'configuration:write'],
      actors: ['acme'],
    };
    const user = { name: 'wendy', password: 'a-password-of-wendy', roles: ['Writers of acme'] };
    for (const [collection, json] of [
      ['roles', role],
      ['manager-users', user],
    ] as const)
      expect((await rig().platform.http().post(`${api}/${collection}`, { bearer, json })).status).toBe(201);
    const { page, takeErrors } = await rig().browser.newPage();
    await page.goto(`${rig().platform.url}/console/secrets`);
    await sendLogin(page, user.name, user.password);
    await page.getByRole('button', { name: 'Store a secret' }).click();
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    const actor = dialog.getByLabel('Actor');
    expect(await actor.inputValue()).toBe('acme');
    expect(await actor.locator('option').allTextContents()).toEqual(['acme']);
    expect(await findAccessViolations(page)).toEqual([]);
    await dialog.getByLabel('Name', { exact: true }).fill('of-wendy');
    await dialog.getByLabel('Value', { exact: true }).fill('a value');
    await dialog.getByRole('button', { name: 'Store a secret' }).click();
    await page.getByRole('row', { name: /^of-wendy acme/u }).waitFor();
    // Other tests begin without secrets.
    const removed = await rig().platform.http().delete(`${api}/secrets/of-wendy?actor=acme`, { bearer });
    expect(removed.status).toBe(204);
    await page.getByRole('button', { name: 'Generate an SSH key' }).click();
    expect(await actor.inputValue()).toBe('acme');
    await page.keyboard.press('Escape');
    await page.goto(`${rig().platform.url}/console/configuration/users?new=yes`);
    expect(await page.getByRole('textbox', { name: 'Settings' }).inputValue()).toContain('actor: acme');
    expect(takeErrors()).toEqual([]);
  });
}
