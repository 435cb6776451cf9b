import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations, keepDarkScreenshot, keepScreenshot, type WatchedPage } from '../open-browser.ts';
import type { OperatorsRig } from './open-operators.ts';

/** The stories of files, on a platform where acme has uploaded `/inbox/invoice-1.csv` over HTTP. */
export function testStories({
  open,
  openUpload,
  untilRecorded,
  hash,
  rig,
}: {
  /** Opens a page below `/console` as an administrator. */
  readonly open: (address: string) => Promise<WatchedPage>;
  /** Opens the audit record of this upload. */
  readonly openUpload: (page: Page) => Promise<void>;
  /** Waits for a record that matches a filter. */
  readonly untilRecorded: (q: string) => Promise<void>;
  /** The SHA-256 of what was uploaded. */
  readonly hash: string;
  readonly rig: () => OperatorsRig;
}): void {
  describe('the story of a file', () => {
    const search = async (page: Page, query: string): Promise<void> => {
      await page.goto(`${rig().platform.url}/console/files?${query}`);
      await page
        .getByRole('link', { name: '/inbox/invoice-1.csv' })
        .or(page.getByRole('link', { name: '.gz' }))
        .first()
        .waitFor();
    };

    it('is found by its name alone, by partner, virtual file system, path and user, and has login, upload, jobs with steps, and proofs', async () => {
      const { page, takeErrors } = await open('/files');
      await openUpload(page);
      await search(page, 'actor=acme');
      await page.getByLabel('File name').fill('invoice-1.csv');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).toContain('actor=acme&name=invoice-1.csv');
      const table = page.getByRole('table', { name: 'Files that were found, newest first' });
      const row = table.getByRole('row').filter({ hasText: '/inbox/invoice-1.csv' });
      await page.setViewportSize({ width: 1_300, height: 750 });
      for (const cell of ['acme', 'acme-files'])
        await row.getByRole('cell', { name: cell, exact: true }).first().waitFor();
      await search(page, 'name=invoice-1.csv&vfs=acme-files');
      await search(page, 'name=invoice*');
      // What a job has made of it does not hide the upload.
      await table.getByRole('link', { name: '/inbox/invoice-1.csv', exact: true }).waitFor();
      const made = table.getByRole('row').filter({ hasText: '/outbox/invoice-1.csv.gz' });
      for (const cell of ['acme-files', 'Written by a job']) await made.getByRole('cell', { name: cell }).waitFor();
      for (const other of [
        'name=invoice-1',
        'name=inbox',
        'name=invoice-1.csv&actor=globex',
        'name=invoice*&vfs=nothing',
      ]) {
        await page.goto(`${rig().platform.url}/console/files?${other}`);
        await page.getByText('No file matches.').waitFor();
      }
      await page.goto(`${rig().platform.url}/console/files?name=invoice-1&actor=acme`);
      await page.getByRole('button', { name: 'Find what begins with invoice-1', exact: true }).click();
      await table.getByRole('link', { name: '/inbox/invoice-1.csv', exact: true }).waitFor();
      expect(new URL(page.url()).search).toBe('?name=invoice-1*&actor=acme');
      await search(page, 'user=acme');
      await search(page, 'path=/inbox/invoice*');
      expect(await findAccessViolations(page)).toEqual([]);
      await page.getByRole('link', { name: '/inbox/invoice-1.csv' }).click();
      await page.getByRole('heading', { name: 'The story of /inbox/invoice-1.csv' }).waitFor();
      const events = page.getByRole('region', { name: 'What has happened' });
      await events.getByRole('link', { name: 'Login', exact: true }).waitFor();
      const receipt = page.getByRole('region', { name: 'Receipt' });
      await receipt.getByText('/2.0/receipts/').waitFor();
      for (const text of ['acme', '/inbox/invoice-1.csv', '18 bytes', hash])
        await receipt.getByText(text, { exact: true }).waitFor();
      // A file that a job has written is not taken for one that its user has sent.
      await events.getByText(/Written by a job acme: .*\.gz/u).waitFor();
      // The steps are open at first.
      await page.getByText('invoices / compress-on-arrival').waitFor();
      await page.getByText('Completed').first().waitFor();
      await page.getByText('compress', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Verify all in this page' }).click();
      await page.getByText(/^(\d+) of \1 records are verified by this page\.$/u).waitFor();
      await keepDarkScreenshot(page, 'console-story-dark');
      await keepScreenshot(page, 'console-story');
      expect(await findAccessViolations(page)).toEqual([]);

      const job = await page.getByRole('link', { name: 'Show the job' }).getAttribute('href');
      await page.getByRole('link', { name: 'Show the job' }).click();
      const facts = page.getByRole('region', { name: 'Facts' });
      await facts.getByText('/inbox/invoice-1.csv', { exact: true }).waitFor();
      for (const [name, address] of [
        ['invoices / compress-on-arrival', '/configuration/contracts/invoices?actor='],
        ['compress-file', '/configuration/workflow-templates/compress-file'],
        ['revision 1', '/configuration/workflow-templates/compress-file?revision=1'],
        ['Default Queue', '/configuration/queues/Default%20Queue'],
        ['Its audit records', '/audit?dfiid='],
      ] as const)
        expect(await facts.getByRole('link', { name, exact: true }).getAttribute('href')).toContain(address);
      await facts.getByRole('link', { name: 'The story of its file' }).click();
      await page.getByRole('heading', { name: 'The story of /inbox/invoice-1.csv' }).waitFor();
      await search(page, `job=${job?.split('/').at(-1)}`);
      const dfiid = await dfiidOf(page);
      await search(page, `dfiid=${dfiid}`);
      await page.goto(`${rig().platform.url}/console/jobs?dfiid=${dfiid}`);
      const file = page.getByRole('cell', { name: 'invoice-1.csv', exact: true });
      expect(await file.locator('[title]').getAttribute('title')).toBe('/inbox/invoice-1.csv');

      // Also when it is no longer stored.
      const client = rig().platform.http();
      await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
      await client.put('/2.0/files/inbox/invoice-1.csv', { body: 'number,total\n1,30\n' });
      await search(page, `hash=${hash.toUpperCase()}`);
      await search(page, `hash=sha256:${hash}`);
      await search(page, `hash=${hash.slice(0, 12)}*`);
      await page.getByRole('link', { name: '/inbox/invoice-1.csv' }).click();
      await page.getByText(hash, { exact: true }).waitFor();
      await page.getByText('18 bytes', { exact: true }).waitFor();
      expect(takeErrors()).toEqual([]);
    });
  });

  it('an upload over SFTP has a story without a receipt, which there is none of', async () => {
    const session = openSftpSession({ port: rig().platform.sftpPort, user: 'acme', password: 'acme-demo' });
    session.send('put /etc/hostname /inbox/over-sftp.csv');
    session.send('bye');
    await session.exited;
    await untilRecorded('{auditCode="AUD0041A",entityName="/inbox/over-sftp.csv"}');
    const { page, takeErrors } = await open('/files?path=/inbox/over-sftp.csv');
    await page.getByRole('link', { name: '/inbox/over-sftp.csv' }).first().click();
    await page.getByRole('heading', { name: 'The story of /inbox/over-sftp.csv' }).waitFor();
    await page.getByText('Login', { exact: true }).first().waitFor();
    expect(await page.getByText('/2.0/receipts/').count()).toBe(0);
    expect(takeErrors()).toEqual([]);
  });

  it('an operator who may not read the audit log follows a file, and finds nothing of the administration', async () => {
    const { page, takeErrors } = await rig().logIn('olga', '/files?path=/inbox/invoice*');
    await page.getByRole('link', { name: '/inbox/invoice-1.csv' }).first().click();
    await page.getByRole('heading', { name: 'The story of /inbox/invoice-1.csv' }).waitFor();
    const events = page.getByRole('region', { name: 'What has happened' });
    for (const operation of ['Login', 'Upload']) await events.getByText(operation, { exact: true }).first().waitFor();
    await page.getByText('/2.0/receipts/').waitFor();
    await page.getByText('invoices / compress-on-arrival').first().waitFor();
    expect(await events.getByRole('link').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Verify all in this page' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Audit', exact: true }).count()).toBe(0);
    expect(await findAccessViolations(page)).toEqual([]);
    await page.goto(`${rig().platform.url}/console/files?actor=admin`);
    await page.getByText('No file matches.').waitFor();
    await page.goto(`${rig().platform.url}/console/`);
    await page.getByText(/^Logins refused: \d+$/u).waitFor();
    await page.getByText(/^Bytes uploaded: /u).waitFor();
    expect(takeErrors()).toEqual([]);
  });
}

/** The dataflow instance of the first file that was found. */
async function dfiidOf(page: Page): Promise<string> {
  const href = await page
    .getByRole('table', { name: 'Files that were found' })
    .getByRole('link')
    .first()
    .getAttribute('href');
  return href?.split('/').at(-1) ?? '';
}
