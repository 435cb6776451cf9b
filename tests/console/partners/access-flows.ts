import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { checkNarrowPage } from '../page-checks.ts';
import { untilDialogFocused, untilFocused } from '../until-focused.ts';
import { fillLogin, type PartnersRig } from './open-partners.ts';

/** Everybody can use the pages of partners. */
export function testAccess(rig: () => PartnersRig): void {
  describe('the pages of partners are usable', () => {
    const plant = async (page: Page, path: string): Promise<void> => {
      const stored = await page.request.put(`${rig().platform.url}/2.0/files/inbox/${path}`, { data: path });
      expect(stored.status()).toBe(201);
    };

    it('with the keyboard alone: log in, open, select, rename, delete', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/ui/`);
      await untilFocused(page, 'User name');
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
      await untilFocused(page, 'New name or path');
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('/inbox/renamed-by-key.txt');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'renamed-by-key.txt' }).waitFor();

      await pressUntil(page, 'Tab', 'renamed-by-key.txt');
      await page.keyboard.press('Space');
      await page.keyboard.press('Delete');
      await untilDialogFocused(page);
      await pressUntil(page, 'Tab', 'Delete');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'renamed-by-key.txt' }).waitFor({ state: 'detached' });
      expect(takeErrors()).toEqual([]);
    });

    it('with the focus where it is while a login is checked, which Enter does not send again', async () => {
      const { page } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/ui/`);
      await untilFocused(page, 'User name');
      await page.getByLabel('User name').fill('acme');
      await page.getByLabel('Password').fill('not the password');
      let requests = 0;
      const pressed = Promise.withResolvers<void>();
      await page.route('**/2.0/login/basic*', async (route) => {
        requests += 1;
        await pressed.promise;
        await route.continue();
      });
      await pressUntil(page, 'Tab', 'Log in');
      for (const key of ['Enter', 'Enter', 'Enter']) await page.keyboard.press(key);
      pressed.resolve();
      await page.getByRole('alert').waitFor();
      expect(await focused(page)).toBe('Log in');
      expect(requests).toBe(1);
      await page.keyboard.press('Enter');
      await expect.poll(() => requests).toBe(2);
    });

    it('by operators, too: whatever they try, the login leads to their console', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/ui/`);
      await page.getByRole('heading', { name: 'Log in to Waybill' }).waitFor();
      await page.getByRole('link', { name: 'the operators’ console' }).click();
      await page.waitForURL(`${rig().platform.url}/console/`);
      await page.getByRole('heading', { name: 'Log in to the console' }).waitFor();
      // Where no console is at the address, there is no such link.
      await page.route('**/console/', (route) => route.fulfill({ status: 404 }));
      const checked = page.waitForResponse('**/console/');
      await page.goto(`${rig().platform.url}/ui/`);
      await checked;
      await page.getByLabel('User name').waitFor();
      expect(await page.getByRole('link', { name: 'console' }).count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('with the focus in the list after something was changed, and where it was after a dialog was closed', async () => {
      await rig().sftp('mkdir /inbox/focus');
      const { page, takeErrors } = await rig().logIn('/inbox/focus');
      for (const name of ['one.txt', 'three.txt', 'two.txt']) await plant(page, `focus/${name}`);
      const nowFocused = () => expect.poll(() => focused(page));
      await page.getByLabel('Select two.txt').check();
      await page.getByRole('button', { name: 'Rename or move' }).click();
      await untilFocused(page, 'New name or path');
      await page.keyboard.press('Escape');
      await nowFocused().toBe('Rename or move');
      await page.keyboard.press('Enter');
      await page.getByLabel('New name or path').fill('/inbox/focus/zero.txt');
      await page.keyboard.press('Enter');
      await nowFocused().toContain('zero.txt');
      await page.keyboard.press('ArrowUp');
      await nowFocused().toContain('three.txt');
      await page.keyboard.press('Space');
      await page.keyboard.press('Delete');
      await untilDialogFocused(page);
      await page.keyboard.press('Escape');
      await nowFocused().toContain('three.txt');
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await nowFocused().toContain('zero.txt');
      await page.keyboard.press('Enter');
      await untilDialogFocused(page);
      await page.keyboard.press('Escape');
      await nowFocused().toContain('zero.txt');
      await page.keyboard.press('Space');
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      // It was the last one: the one before it is its neighbour.
      await nowFocused().toContain('one.txt');
      await page.getByRole('button', { name: 'New folder' }).click();
      await page.getByLabel('Name of the folder').fill('opened');
      await page.keyboard.press('Enter');
      await nowFocused().toContain('opened');
      expect(takeErrors()).toEqual([]);
    });

    it('in the order in which they read: skip link, logout, path, uploads, filter, list', async () => {
      const { page } = await rig().logIn('/inbox');
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

    it('at a width of 320 pixels, in the light and the dark scheme, and by the rules of axe', async () => {
      await rig().sftp('mkdir /inbox/narrow');
      const { page, takeErrors } = await rig().browser.newPage({ viewport: { width: 320, height: 640 } });
      const check = (what: string): Promise<void> => checkNarrowPage(page, what);
      await page.goto(`${rig().platform.url}/ui/inbox/narrow`);
      await page.getByLabel('User name').waitFor();
      await check('login');
      await fillLogin(page);
      await page.getByRole('button', { name: 'New folder' }).waitFor();
      const name = 'a-rather-long-name-that-does-not-fit.txt';
      await plant(page, `narrow/${name}`);
      await page.getByLabel(`Select ${name}`).check();
      await page.getByRole('button', { name: 'Rename or move' }).waitFor();
      await check('selection');
      // Nothing is left empty below the list.
      expect(await page.evaluate('document.querySelector("[role=grid]").getBoundingClientRect().bottom')).toBe(640);
      for (const dialog of ['New folder', 'Rename or move', 'Delete', 'Details']) {
        await page.getByRole('button', { name: dialog, exact: true }).click();
        await untilDialogFocused(page);
        await check(dialog);
        await page.keyboard.press('Escape');
        await page.locator('[role=dialog], [role=alertdialog]').waitFor({ state: 'detached' });
      }
      await page.getByRole('button', { name: 'Details', exact: true }).click();
      for (const tab of ['Details', 'Preview', 'Receipt']) {
        await page.getByRole('tab', { name: tab }).click();
        if (tab === 'Preview') {
          await check('before the preview');
          await page.getByRole('button', { name: 'Show the content' }).click();
        }
        await page.getByRole('tabpanel', { name: tab }).locator('.facts, .preview').first().waitFor();
        await check(tab);
        // Each value has the line to itself.
        if (tab !== 'Preview') expect(await leastWidth(page, '[role=dialog] .facts dd')).toBeGreaterThan(200);
      }
      await page.keyboard.press('Escape');
      await page.getByLabel('With subfolders').check();
      await page.getByRole('searchbox').fill('rather-long');
      await page.getByText(/^\d+ found in \d+ folders\.$/u).waitFor();
      await page.getByRole('button', { name }).waitFor();
      await check('search');
      expect(await leastWidth(page, '.results th:not(:first-child)')).toBeGreaterThan(60);
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByText('You may not add keys.').waitFor();
      await check('account');
      expect(await leastWidth(page, '.account .facts dd')).toBeGreaterThan(180);
      for (const [colorScheme, color] of [
        ['light', 'rgb(246, 247, 249)'],
        ['dark', 'rgb(20, 23, 28)'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        const ground = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
        expect(ground).toBe(color);
      }
      expect(takeErrors()).toEqual([]);
    });
  });
}

/** The width of the narrowest element of a kind, in pixels. */
function leastWidth(page: Page, selector: string): Promise<number> {
  const elements = `document.querySelectorAll(${JSON.stringify(selector)})`;
  return page.evaluate<number>(`Math.min(...[...${elements}].map((one) => one.getBoundingClientRect().width))`);
}

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
