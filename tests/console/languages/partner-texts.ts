import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import { expect, it } from 'vitest';
import type { LanguagesRig } from './open-languages.ts';
import { logInTranslated, type TranslatedPage, watchTranslated } from './translated-page.ts';

const picture = join(import.meta.dirname, '../../../docs/images/partners-files.png');

/** The partners' pages and dialogs have no text that is not translated. */
export function testPartnerTexts(rig: () => LanguagesRig): void {
  const newPage = async () => {
    const { page, takeErrors } = await rig().newPage({ locale: 'de-AT', timezoneId: 'UTC' });
    const url = `${rig().platform.url}/ui`;
    const names = /\b(?:tom|column|cell|x|laptop|first|second|authenticator|umbrella|manager1)\b/gu;
    return { translated: watchTranslated(page, url, [names]), page, takeErrors };
  };

  it('is that of every text of the partners’ pages, with its numbers, times and plural forms', async () => {
    const { page, takeErrors, translated } = await newPage();
    await translated.open('/');
    await page.getByRole('heading', { name: '⟦Log in to Waybill⟧' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await translated.look('login');
    await page.getByLabel('⟦User name⟧').fill('acme');
    await page.getByLabel('⟦Password⟧').fill('wrong');
    await translated.press('⟦Log in⟧');
    await page.getByRole('alert').getByText('⟦Invalid username or password⟧').waitFor();

    await logInTranslated(page, 'acme', 'acme-demo');
    await store(rig(), page, { 'a.csv': 'x'.repeat(1_500), 'b.csv': 'column;column\ncell;cell\n' });
    await translated.open('/inbox');
    await page.getByText('⟦1,5 ⟦KiB⟧⟧').or(page.getByText('1,5 ⟦KiB⟧')).first().waitFor();
    await translated.look('folder');
    await page.getByLabel('⟦Select a.csv⟧').check();
    await page.getByText('⟦1 selected⟧').first().waitFor();
    await useDialog(translated, '⟦Rename or move⟧');
    await page.getByLabel('⟦Select b.csv⟧').check();
    await page.getByText('⟦2 selected⟧').first().waitFor();
    await translated.look('selection');
    for (const button of ['⟦Move⟧', '⟦Delete⟧', '⟦New folder⟧']) await useDialog(translated, button);
    for (const address of [
      '/inbox?details=/inbox/a.csv',
      '/inbox?details=/inbox/',
      '/?filter=a&deep=true',
      '/?filter=nope&deep=true',
      '/?filter=nope',
      '/archive',
      '/nope',
    ])
      await translated.pressAll(address);
    expect(takeErrors()).toEqual([]);
  });

  it('is that of every text about moves, deletions and uploads that fail, previews and receipts', async () => {
    const { page, takeErrors, translated } = await newPage();
    await translated.open('/');
    await logInTranslated(page, 'acme', 'acme-demo');
    await store(rig(), page, {
      'c.csv': 'column;column\ncell;cell\n',
      'd.png': await readFile(picture),
      'e.pdf': '%PDF-',
    });
    await translated.open('/inbox');
    await page.getByLabel('⟦Select c.csv⟧').check();
    await page.getByRole('button', { name: '⟦Move⟧', exact: true }).click();
    await page.getByLabel('⟦To the folder⟧').fill('/private');
    await translated.look('choice of a folder');
    await page.getByRole('dialog').getByRole('button', { name: '⟦Move⟧', exact: true }).click();
    await page.getByText('⟦1 element was not moved.⟧').waitFor();
    await translated.look('refused move');
    await page.keyboard.press('Escape');
    const input = page.getByLabel('⟦Upload files⟧').and(page.locator('input'));
    await input.setInputFiles(
      ['c.csv', 'f.csv'].map((name) => ({ name, mimeType: 'text/csv', buffer: Buffer.from('x') })),
    );
    await page.getByText('⟦c.csv exists already.⟧').waitFor();
    await page.getByText('⟦Stored⟧').first().waitFor();
    await translated.look('uploads');
    for (const name of ['c.csv', 'd.png', 'e.pdf', 'f.csv']) {
      await translated.open(`/inbox?details=/inbox/${name}`);
      await page.getByRole('tab', { name: '⟦Preview⟧' }).click();
      await translated.press('⟦Show the content⟧');
    }
    await page.getByRole('tab', { name: '⟦Receipt⟧' }).click();
    await page.getByText('⟦✓ Verified:⟧').first().waitFor();
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles({ name: 'f.csv', mimeType: 'text/csv', buffer: Buffer.from('y') });
    await translated.look('comparison with a receipt');
    expect(takeErrors()).toEqual([]);
  });

  it('is that of every text of the partners’ account, with its keys, sessions and second factor', async () => {
    const { page, takeErrors, translated } = await newPage();
    await translated.open('/');
    await logInTranslated(page, 'tom', 'umbrella-demo');
    const form = { username: 'tom', password: 'umbrella-demo' };
    await rig().platform.http().post('/2.0/login/basic', { form });
    await page.request.put(`${rig().platform.url}/2.0/files/inbox/first`, { data: 'x' });
    // It is listed when its audit record is stored.
    await expect
      .poll(async () => {
        await translated.open('/?page=account');
        await translated.look('account');
        return page.getByRole('button', { name: '⟦Receipt⟧: /inbox/first' }).count();
      })
      .toBe(1);
    await useDialog(translated, '⟦Receipt⟧: /inbox/first');
    await page
      .getByLabel('⟦Public key⟧')
      .fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl laptop');
    await page.getByRole('button', { name: '⟦Add a key⟧' }).click();
    await useDialog(translated, '⟦Delete⟧: laptop');
    await useDialog(translated, /^⟦End session⟧/u);
    await page.getByRole('button', { name: '⟦Set up a second factor⟧' }).click();
    const panel = page.getByRole('region', { name: '⟦Second factor⟧' });
    await panel.getByLabel('⟦Current password⟧').fill('umbrella-demo');
    await page.keyboard.press('Enter');
    const secret = ((await page.locator('code.secret').textContent()) ?? '').replaceAll(' ', '');
    await translated.look('secret of a second factor');
    await page.getByLabel('⟦Code that the app shows⟧').fill(codeOfApp(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '⟦I have kept them⟧' }).waitFor();
    await translated.look('recovery codes');
    await page.getByRole('button', { name: '⟦I have kept them⟧' }).click();
    await translated.look('second factor');
    for (const button of ['⟦Replace the recovery codes⟧', '⟦Remove the second factor⟧'])
      await useDialog(translated, button);
    await page.getByLabel('⟦Current password⟧').first().fill('wrong');
    await page.getByRole('button', { name: '⟦Log out⟧' }).click();
    // The account has a field for the user name, too.
    await page.getByText('⟦You have logged out.⟧').waitFor();
    await page.getByLabel('⟦User name⟧').fill('tom');
    await page.getByLabel('⟦Password⟧').fill('umbrella-demo');
    await page.getByRole('button', { name: '⟦Log in⟧', exact: true }).click();
    await page.getByLabel('⟦Code of the second factor⟧').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await translated.look('login with a second factor');
    expect(takeErrors()).toEqual([]);
  });
}

/** Opens a dialog, looks at it, and closes it. */
async function useDialog({ page, look }: TranslatedPage, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name, exact: typeof name === 'string' });
  await button.first().click();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor();
  await look(String(name));
  await page.keyboard.press('Escape');
}

/** Stores files in the inbox of acme. */
async function store(
  { platform }: LanguagesRig,
  page: TranslatedPage['page'],
  files: Readonly<Record<string, string | Buffer>>,
): Promise<void> {
  for (const [name, data] of Object.entries(files)) {
    const response = await page.request.put(`${platform.url}/2.0/files/inbox/${name}`, { data });
    expect(response.status(), name).toBe(201);
  }
}
