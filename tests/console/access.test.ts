import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessViolations } from './open-browser.ts';
import { type ConsoleRig, fillLogin, openConsole } from './open-console.ts';

describe('the pages of partners are usable', () => {
  let rig: ConsoleRig;
  beforeAll(async () => {
    rig = await openConsole();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  const plant = async (page: Page, name: string): Promise<void> => {
    const stored = await page.request.put(`${rig.platform.url}/2.0/files/inbox/${name}`, { data: name });
    expect(stored.status()).toBe(201);
  };

  it('with the keyboard alone: log in, open, select, rename, delete', async () => {
    const { page, takeErrors } = await rig.browser.newPage();
    await page.goto(`${rig.platform.url}/ui/`);
    await page.getByLabel('User name').waitFor();
    await page.keyboard.type('acme');
    await page.keyboard.press('Tab');
    await page.keyboard.type('acme-demo');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'inbox' }).waitFor();
    await plant(page, 'keys.txt');

    await pressUntil(page, 'Tab', 'Folder');
    await pressUntil(page, 'ArrowDown', 'inbox');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'keys.txt' }).waitFor();
    // The focus stays in the list when a folder is opened.
    await expect.poll(() => focused(page)).toContain('keys.txt');
    await page.keyboard.press('Space');
    await page.getByText('1 selected').first().waitFor();
    // The toolbar has the focus where it was left.
    await pressUntil(page, 'Shift+Tab', 'Details');
    await pressUntil(page, 'ArrowRight', 'Rename or move');
    await page.keyboard.press('Enter');
    await page.getByLabel('New path').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('/inbox/renamed-by-key.txt');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'renamed-by-key.txt' }).waitFor();

    await pressUntil(page, 'Tab', 'renamed-by-key.txt');
    await page.keyboard.press('Space');
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').waitFor();
    await pressUntil(page, 'Tab', 'Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'renamed-by-key.txt' }).waitFor({ state: 'detached' });
    expect(takeErrors()).toEqual([]);
  });

  it('with the focus in the list after something was changed, and where it was after a dialog was closed', async () => {
    const { page, takeErrors } = await rig.logIn('/inbox');
    for (const name of ['one.txt', 'three.txt', 'two.txt']) await plant(page, `zz-focus-${name}`);
    const nowFocused = () => expect.poll(() => focused(page));
    await page.getByLabel('Select zz-focus-two.txt').check({ timeout: 10_000 });
    await page.getByRole('button', { name: 'Rename or move' }).click();
    await page.getByLabel('New path').waitFor();
    await page.keyboard.press('Escape');
    await nowFocused().toBe('Rename or move');
    await page.keyboard.press('Enter');
    await page.getByLabel('New path').fill('/inbox/zz-focus-zero.txt');
    await page.keyboard.press('Enter');
    await nowFocused().toContain('zz-focus-zero.txt');
    await page.keyboard.press('ArrowUp');
    await nowFocused().toContain('zz-focus-three.txt');
    await page.keyboard.press('Space');
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Escape');
    await nowFocused().toContain('zz-focus-three.txt');
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await nowFocused().toContain('zz-focus-zero.txt');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await nowFocused().toContain('zz-focus-zero.txt');
    await page.keyboard.press('Space');
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    // It was the last one: the one before it is its neighbour.
    await nowFocused().toContain('zz-focus-one.txt');
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name of the folder').fill('zz-focus-folder');
    await page.keyboard.press('Enter');
    await nowFocused().toContain('zz-focus-folder');
    expect(takeErrors()).toEqual([]);
  });

  it('in the order in which they read: skip link, logout, path, uploads, filter, list', async () => {
    const { page } = await rig.logIn('/inbox');
    await page.getByRole('button', { name: 'Upload files' }).waitFor();
    const order: string[] = [];
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab');
      order.push(await focused(page));
    }
    const expected = ['Skip to the files', 'Log out', 'All folders', 'Upload files', 'Filter by name', 'Name'];
    const places = expected.map((name) => order.findIndex((text) => text.includes(name)));
    expect(places, order.join(' | ')).toEqual(places.toSorted((one, other) => one - other));
    expect(places, order.join(' | ')).not.toContain(-1);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`at a width of 320 pixels, in the ${colorScheme} scheme, and by the rules of axe`, async () => {
      const { page, takeErrors } = await rig.browser.newPage({ colorScheme, viewport: { width: 320, height: 640 } });
      const check = async (what: string): Promise<void> => {
        expect(await findAccessViolations(page), what).toEqual([]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth'), what).toBeLessThanOrEqual(320);
      };
      await page.goto(`${rig.platform.url}/ui/inbox`);
      await page.getByLabel('User name').waitFor();
      await check('login');
      await fillLogin(page);
      await page.getByRole('button', { name: 'New folder' }).waitFor();
      const name = `a-rather-long-name-that-does-not-fit-${colorScheme}.txt`;
      await plant(page, name);
      await page.getByLabel(`Select ${name}`).check({ timeout: 10_000 });
      await page.getByRole('button', { name: 'Rename or move' }).waitFor();
      await check('selection');
      for (const dialog of ['New folder', 'Rename or move', 'Delete', 'Details']) {
        await page.getByRole('button', { name: dialog, exact: true }).click();
        await page.locator('[role=dialog], [role=alertdialog]').waitFor();
        await check(dialog);
        await page.keyboard.press('Escape');
        await page.locator('[role=dialog], [role=alertdialog]').waitFor({ state: 'detached' });
      }
      await page.getByRole('button', { name: 'Details', exact: true }).click();
      for (const tab of ['Details', 'Preview', 'Receipt']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tabpanel', { name: tab }).locator('.facts, .preview').first().waitFor();
        await check(tab);
      }
      await page.keyboard.press('Escape');
      await page.getByLabel('With subfolders').check();
      await page.getByRole('searchbox').fill(colorScheme);
      await page.getByRole('button', { name }).waitFor();
      await check('search');
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByText('You may not add keys.').waitFor();
      await check('account');
      const ground = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
      expect(ground).toBe(colorScheme === 'light' ? 'rgb(246, 247, 249)' : 'rgb(20, 23, 28)');
      expect(takeErrors()).toEqual([]);
    });
  }
});

/** What the focused control says to its user; empty if no control has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const element = document.activeElement;
    if (!element.matches('a, button, input, [role=row], [role=link]')) return '';
    const labels = [...(element.labels ?? [])].map((label) => label.textContent);
    return [element.getAttribute('aria-label'), ...labels, element.textContent].join(' ').trim();
  })()`);
}

/** Presses a key until the focus is on a control that says `text`. */
async function pressUntil(page: Page, key: string, text: string): Promise<void> {
  const seen: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    const now = await focused(page);
    if (now.includes(text)) return;
    seen.push(now);
    await page.keyboard.press(key);
    // The list moves the focus with the next frame.
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
  }
  throw new Error(`${key} never leads to ${text}, but to ${seen.join(' | ')}`);
}
