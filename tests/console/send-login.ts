import type { Page } from 'playwright-core';

/**
 * Fills in the login form and sends it. The page that the login follows may still be there, with other fields for names and
 * passwords: those of the form that logs in are meant.
 */
export async function sendLogin(page: Page, userName: string, password: string): Promise<void> {
  const button = page.getByRole('button', { name: 'Log in', exact: true });
  const form = page.locator('form').filter({ has: button });
  await form.getByLabel('User name', { exact: true }).fill(userName);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Log in', exact: true }).click();
}
