import { expect, it } from 'vitest';
import { findAccessViolations, type WatchedPage } from '../open-browser.ts';
import type { OperatorsRig } from './open-operators.ts';

/** What is typed and not saved, on a platform that other tests share. */
export function testDrafts({
  open,
  rig,
}: {
  /** Opens a page below `/console` as an administrator. */
  readonly open: (address: string) => Promise<WatchedPage>;
  readonly rig: () => OperatorsRig;
}): void {
  const queueAddress = '/platform-application/api/v1/queues';

  it('what is typed in an editor or a document is lost only after a question', async () => {
    const { page, takeErrors } = await open('/configuration/queues?new=yes');
    const settings = page.getByLabel('Settings', { exact: true });
    await settings.fill('name: unsaved\n');
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await settings.inputValue()).toBe('name: unsaved\n');
    // Filters of the same page lose nothing.
    await page.getByRole('searchbox', { name: 'Name' }).fill('none');
    await page.waitForURL(/name=none/u);
    expect(await question.count()).toBe(0);
    // The browser itself asks when the page is loaded again.
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload({ waitUntil: 'commit' });
    const browserQuestion = await asked;
    expect(browserQuestion.type()).toBe('beforeunload');
    await browserQuestion.accept();
    await reloaded;
    await settings.fill('name: unsaved\n');
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();

    await page.goto(`${rig().platform.url}/console/configuration-document`);
    const document = page.getByLabel('Document', { exact: true });
    await document.fill('queues: []\n');
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await document.inputValue()).toBe('queues: []\n');
    await document.fill('');
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    expect(takeErrors()).toEqual([]);
  });

  it('what somebody else has stored is neither compared with a draft nor overwritten by it before the page has read it', async () => {
    const bearer = await rig().platform.adminToken();
    const client = rig().platform.http();
    const address = `${queueAddress}/unread`;
    const queue = { name: 'unread', priority: 5, parallelism: 2 };
    expect((await client.post(queueAddress, { bearer, json: queue })).status).toBe(201);
    const { page, takeErrors } = await open('/configuration/queues/unread');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Edit').click();
    const settings = page.getByLabel('Settings', { exact: true });
    const draft = 'name: unread\npriority: 7\nparallelism: 2\n';
    await settings.fill(draft);
    await button('Show the difference').click();
    await button('Save').waitFor();
    await page.route(`**${address}`, (route) => (route.request().method() === 'GET' ? undefined : route.fallback()));
    const changed = await client.put(address, { bearer, json: { ...queue, parallelism: 9 } });
    expect(changed.status).toBe(200);
    for (const name of ['Save', 'Show the difference']) {
      const answer = page.waitForResponse((response) => response.request().method() === 'PUT');
      await button(name).click();
      expect((await answer).status()).toBe(412);
      await page.getByRole('alert').first().waitFor();
      await button('Show the difference').waitFor();
      expect(await settings.inputValue()).toBe(draft);
    }
    expect((await client.get(address, { bearer })).json()).toMatchObject({ priority: 5, parallelism: 9 });
    await page.unrouteAll();
    await page.getByText('Somebody else has changed it').waitFor();
    await button('Cancel').click();
    expect((await client.delete(address, { bearer })).status).toBe(204);
    expect(takeErrors()).toEqual([]);
  });

  it('says what was checked of a workflow, and lists what the newest check refuses, once, until it was corrected', async () => {
    const { page, takeErrors } = await open('/configuration/workflow-templates?new=yes');
    const settings = page.getByLabel('Settings', { exact: true });
    const step = (message: string) => `  - name: a\n    uses: log\n    with:\n      ${message}\n`;
    const twice = step('message: ${{ file.pth }}') + step('message: x');
    await settings.fill(`name: tried\nsteps:\n${step('mesage: x')}`);
    await page.getByText('did you mean message?').waitFor();
    await settings.fill(`name: tried\nsteps:\n${twice}`);
    await page.getByText('The form is right. Expressions, and names of steps').waitFor();
    const refusal = page.getByRole('alert');
    const places = () => refusal.getByRole('listitem').getByRole('button').allTextContents();
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    await refusal.getByText('It cannot be tried:').waitFor();
    const ofTrial = await places();
    expect(ofTrial).toHaveLength(2);
    await page.getByRole('button', { name: 'Show the difference', exact: true }).click();
    await refusal.getByText('Nothing was changed:').waitFor();
    expect(await page.getByText('It cannot be tried:').count()).toBe(0);
    expect((await places()).toSorted()).toEqual(ofTrial.toSorted());
    expect(await findAccessViolations(page)).toEqual([]);
    await settings.fill(`name: tried\nsteps:\n${step('message: x')}`);
    await refusal.waitFor({ state: 'detached' });
    // It is not saved.
    expect(takeErrors()).toEqual([]);
  });

  it('after a conflict, the draft stays and replaces what is stored by now, after a look at the difference', async () => {
    const bearer = await rig().platform.adminToken();
    const client = rig().platform.http();
    const queue = { name: 'contested', priority: 5, parallelism: 2 };
    expect((await client.post(queueAddress, { bearer, json: queue })).status).toBe(201);
    const { page, takeErrors } = await open('/configuration/queues/contested');
    await page.getByRole('button', { name: 'Edit' }).click();
    const settings = page.getByLabel('Settings', { exact: true });
    await settings.fill('name: contested\npriority: 7 # mine\nparallelism: 2\n');
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('heading', { name: 'What changes' }).waitFor();
    const changed = await client.put(`${queueAddress}/contested`, { bearer, json: { ...queue, parallelism: 9 } });
    expect(changed.status).toBe(200);
    // It is said before anything is saved; what was to be saved is out of date.
    await page.getByRole('alert').getByText('Somebody else has changed it').waitFor({ timeout: 2_000 });
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByRole('region', { name: 'What is stored now' }).getByText('parallelism: 9').waitFor();
    const difference = page.getByRole('group', { name: 'How your text differs from what is stored' });
    await difference.getByRole('row', { name: 'priority 5 7' }).waitFor();
    await difference.getByRole('row', { name: 'parallelism 9 2' }).waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on from the stored version' }).click();
    // The text has the changes of both.
    expect(await settings.inputValue()).toBe('name: contested\npriority: 7 # mine\nparallelism: 9\n');
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('row', { name: 'priority 5 7' }).waitFor();
    expect(await page.getByRole('cell', { name: 'parallelism', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('priority: 7').waitFor();

    // What both have changed is shown, and the user says whose value it gets.
    await page.getByRole('button', { name: 'Edit' }).click();
    await settings.fill('name: contested\npriority: 8\nparallelism: 9\n');
    const both = await client.put(`${queueAddress}/contested`, { bearer, json: { ...queue, priority: 6 } });
    expect(both.status).toBe(200);
    const conflicts = page.getByRole('group', { name: 'What both of you have changed' });
    await conflicts.getByRole('row', { name: 'priority 6 8' }).waitFor({ timeout: 2_000 });
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'with the stored values of these' }).click();
    expect(await settings.inputValue()).toBe('name: contested\npriority: 6\nparallelism: 2\n');

    // What somebody else deletes is created again from the draft.
    await settings.fill('name: contested\npriority: 4\nparallelism: 2\n');
    expect((await client.delete(`${queueAddress}/contested`, { bearer })).status).toBe(204);
    await page.getByText('Somebody else has deleted it.').waitFor({ timeout: 2_000 });
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('button', { name: 'Create it again' }).click();
    await page.getByText('priority: 4').waitFor();
    // What is saved asks nothing.
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.getByRole('heading', { name: 'Queues' }).waitFor();
    expect((await client.delete(`${queueAddress}/contested`, { bearer })).status).toBe(204);
    expect(takeErrors()).toEqual([]);
  });
}
