import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PartnersRig } from './open-partners.ts';

/** A file that is stored to look at its details. */
export interface StoredFile {
  readonly name: string;
  readonly data: string | Buffer;
  /** Default: `text/plain`. */
  readonly type?: string;
}

/** Stores a file in a folder of the inbox as the user of a page, and opens its details there. */
export async function storeAndOpen(
  { platform }: PartnersRig,
  page: Page,
  folder: string,
  { name, data, type = 'text/plain' }: StoredFile,
): Promise<void> {
  const path = `/inbox/${folder}/${name}`;
  const stored = await page.request.put(`${platform.url}/2.0/files/inbox/${folder}/${encodeURIComponent(name)}`, {
    data,
    headers: { 'Content-Type': type },
  });
  expect(stored.status(), name).toBe(201);
  await page.goto(`${platform.url}/ui/inbox/${folder}?details=${encodeURIComponent(path)}`);
  await page.getByRole('dialog').getByRole('heading', { name }).waitFor();
}

/** Has the content of the file shown whose details are open. */
export async function preview(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Show the content' }).click();
}
