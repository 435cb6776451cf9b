import { expect, it } from 'vitest';
import type { WatchedPage } from '../open-browser.ts';
import { untilDialogFocused } from '../until-focused.ts';
import { KeyboardUser } from './keyboard-user.ts';
import type { OperatorsRig } from './open-operators.ts';

const workflow = 'narrow-check';
const newDocument = 'queues:\n  - name: Narrow Queue\n    priority: 5\n    parallelism: 1\n';

/** The main action of each page, by its address below `/console`; without an address, the page before goes on. */
const pages: readonly (readonly [address: string | undefined, use: (keyboard: KeyboardUser) => Promise<void>])[] = [
  ['/new-partner', createPartner],
  [undefined, editPermissions],
  [`/configuration/workflow-templates/${workflow}`, runDryly],
  ['/access', explainAccess],
  ['/secrets', storeSecret],
  ['/expiries', filterExpiries],
  ['/configuration-document', applyDocument],
];

async function createPartner(keyboard: KeyboardUser): Promise<void> {
  const { page } = keyboard;
  await keyboard.type('Name of the partner', 'narrow');
  await keyboard.type('First password (optional)', 'a first password');
  await keyboard.press('Show the difference');
  await page.getByText('Connection Contract · narrow-').waitFor();
  await keyboard.check('new partner');
  await keyboard.expectFocus('What changes', 'the look at a new partner');
  await keyboard.press('Create the partner');
  await page.getByRole('link', { name: 'narrow-files' }).waitFor();
  await keyboard.expectFocus('Partner: narrow', 'the creation of a partner');
  await keyboard.check('partner');
}

async function editPermissions(keyboard: KeyboardUser): Promise<void> {
  const { page } = keyboard;
  const title = 'Permissions in narrow-files';
  await keyboard.press(`Edit: ${title}`);
  await page.getByRole('button', { name: 'Add a row' }).waitFor();
  await keyboard.expectFocus(title, 'the begin of editing');
  await keyboard.press('Add a row');
  await keyboard.press('Add a row');
  await keyboard.reach('Delete, row 2', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await keyboard.expectFocus('Add a row', 'the removal of a row');
  await keyboard.reach('Path, row 1', 'Shift+Tab');
  await page.keyboard.type('/inbox');
  await keyboard.type('User or group, row 1', 'narrow');
  await keyboard.reach('upload, row 1');
  await page.keyboard.press('Space');
  await keyboard.press('Show the difference');
  await page.getByRole('cell', { name: 'acl', exact: true }).waitFor();
  await keyboard.check('permissions');
  await keyboard.expectFocus('What changes', 'the look at other permissions');
  await keyboard.press('Save');
  await page.getByRole('row', { name: '/inbox narrow yes yes yes – – –' }).waitFor();
  await keyboard.expectFocus(title, 'the end of editing');
  await keyboard.check('saved permissions');
}

async function runDryly(keyboard: KeyboardUser): Promise<void> {
  const { page } = keyboard;
  await keyboard.type('Path of the file (empty: there is none)', '/inbox/march.csv');
  await keyboard.press('Dry run');
  await page.getByText('Completed, of revision 1').waitFor();
  await keyboard.expectFocus('Dry run', 'a dry run');
  await keyboard.check('dry run');
}

async function explainAccess(keyboard: KeyboardUser): Promise<void> {
  const { page } = keyboard;
  await keyboard.type('User', 'acme');
  await keyboard.type('Path', `/outbox/${'long'.repeat(50)}`);
  await page.keyboard.press('Enter');
  await page.getByText('It is allowed.').waitFor();
  await keyboard.reach('Operation', 'Shift+Tab');
  await page.keyboard.type('upl');
  await page.getByText('It is refused.').waitFor();
  await keyboard.check('explanation');
}

async function storeSecret(keyboard: KeyboardUser): Promise<void> {
  const { page } = keyboard;
  const name = `narrow-${'secret'.repeat(8)}`;
  const closed = () => page.locator('[role=dialog], [role=alertdialog]').waitFor({ state: 'detached' });
  await keyboard.press('Store a secret');
  await untilDialogFocused(page);
  await keyboard.type('Name', name);
  await keyboard.type('Value', 'a value');
  await keyboard.check('new secret');
  // Enter is a line break of the value.
  await keyboard.press('Store a secret');
  await closed();
  await keyboard.expectFocus('Store a secret', 'the storing of a secret');
  await page.getByRole('cell', { name, exact: true }).waitFor();
  await keyboard.check('secrets');
  await keyboard.press(`Replace: ${name}`);
  await untilDialogFocused(page);
  await page.keyboard.press('Escape');
  await closed();
  await keyboard.expectFocus(`Replace: ${name}`, 'a replacement that was given up');
  await keyboard.press(`Delete: ${name}`);
  await untilDialogFocused(page);
  await keyboard.check('deletion of a secret');
  await keyboard.press('Delete');
  await closed();
  await page.getByText('There are no secrets.').waitFor();
  await keyboard.expectFocus('Secrets', 'the deletion of a secret');
}

async function filterExpiries(keyboard: KeyboardUser): Promise<void> {
  const { page } = keyboard;
  await page.getByRole('cell', { name: 'Signing key: replace it' }).first().waitFor();
  await keyboard.check('what expires');
  await keyboard.type('Actor', 'acme');
  await page.keyboard.press('Enter');
  await page.waitForURL(/actor=acme/u);
  await page.getByText('Nothing expires.').waitFor();
}

async function applyDocument(keyboard: KeyboardUser): Promise<void> {
  const { page } = keyboard;
  await page.getByRole('button', { name: 'Load source default' }).waitFor();
  await keyboard.type('Source (optional)', 'narrow');
  await keyboard.type('Document', newDocument);
  await keyboard.press('Plan');
  await page.getByText('1 created, 0 modified, 0 deleted').waitFor();
  await keyboard.expectFocus('Plan', 'a plan');
  await keyboard.check('plan');
  await keyboard.press('Apply');
  await page.getByText('The plan is in force.').waitFor();
  await keyboard.expectFocus('The plan is in force. 1 created, 0 modified, 0 deleted', 'applying a plan');
  await keyboard.check('applied plan');
}

/** Pages that are used on a small window without a mouse, on a platform that other tests share. */
export function testNarrowPages({
  open,
  rig,
}: {
  /** Opens a page below `/console` as an administrator. */
  readonly open: (address: string) => Promise<WatchedPage>;
  readonly rig: () => OperatorsRig;
}): void {
  it('partners, permissions, dry runs, explanations, secrets, expiries and documents are used at 320 pixels with the keyboard alone, and the focus is always seen', async () => {
    const { platform } = rig();
    const steps = [{ name: 'say', uses: 'log', with: { message: `\${{ file.name }} ${'w'.repeat(200)}` } }];
    const bearer = await platform.adminToken();
    const path = '/platform-application/api/v1/workflow-templates';
    expect((await platform.http().post(path, { bearer, json: { name: workflow, steps } })).status).toBe(201);
    const { page, takeErrors } = await open('/expiries');
    // What a window of 1280 by 1024 pixels shows when it is enlarged to 400 %.
    await page.setViewportSize({ width: 320, height: 256 });
    const keyboard = new KeyboardUser(page);
    for (const [address, use] of pages) {
      if (address !== undefined) await page.goto(`${platform.url}/console${address}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await use(keyboard);
    }
    expect(keyboard.faults).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });
}
