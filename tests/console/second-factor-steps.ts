import { readFile } from 'node:fs/promises';
import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findAccessViolations } from './open-browser.ts';
import { readQrCode } from './read-qr-code.ts';
import { untilFocused } from './until-focused.ts';

/** Reads the secret from the QR code, compares it with the text, and confirms it: a wrong code first. */
export async function confirmSecret(page: Page, name: string): Promise<string> {
  const image = page.getByRole('img', { name: 'QR code' });
  await image.waitFor();
  const uri = new URL(await readQrCode(image));
  expect([uri.protocol, decodeURIComponent(uri.pathname)]).toEqual(['otpauth:', `/Waybill:${name}`]);
  const secret = uri.searchParams.get('secret') ?? '';
  expect((await page.locator('code.secret').textContent())?.replaceAll(' ', '')).toBe(secret);
  expect(await findAccessViolations(page)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  await untilFocused(page, 'Code that the app shows');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('The code is not valid');
  await page.getByLabel('Code that the app shows').fill(codeOfApp(secret));
  await page.keyboard.press('Enter');
  return secret;
}

/** The recovery codes, which are shown once and can be saved. */
export async function keepRecoveryCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
  await dialog.getByRole('listitem').first().waitFor();
  const codes = await dialog.getByRole('listitem').allTextContents();
  expect(await findAccessViolations(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  expect(await readFile(await (await saved).path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
  await page.keyboard.press('Escape');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByText('Copied.').waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${codes.join('\n')}\n`);
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await dialog.waitFor({ state: 'detached' });
  return codes;
}
