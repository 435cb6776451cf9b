import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { waitFor } from '@waybill/test-kit/wait-for';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessViolations, keepScreenshot, type WatchedPage } from './open-browser.ts';
import { testPermissionTables } from './operators/acl-flows.ts';
import { testConfiguration } from './operators/configuration-flows.ts';
import { testFirstPasswords } from './operators/configuration/first-password-flows.ts';
import { testUses } from './operators/configuration/use-flows.ts';
import { testDrafts } from './operators/draft-flows.ts';
import { testHostileTexts } from './operators/hostile-flows.ts';
import { testLimitedOperators } from './operators/limited-flows.ts';
import { testNarrowPages } from './operators/narrow-flows.ts';
import { openAsAdministrator, openOperators, type OperatorsRig } from './operators/open-operators.ts';
import { testPartners } from './operators/partner-flows.ts';
import { testLimitedLinks } from './operators/places/limited-links.ts';
import { testObjectLinks } from './operators/places/link-flows.ts';
import { testPartnerLinks } from './operators/places/removal-flows.ts';
import { testStories } from './operators/story-flows.ts';
import { testPrinting } from './operators/story/print-flows.ts';
import { testRenames } from './operators/story/rename-flows.ts';
import { testUnknownObjects } from './operators/unknown-flows.ts';

const invoice = 'number,total\n1,20\n';
const hash = createHash('sha256').update(invoice).digest('hex');

describe('records and settings in the console', () => {
  let rig: OperatorsRig;
  beforeAll(async () => {
    rig = await openOperators();
    const client = rig.platform.http();
    await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
    await client.put('/2.0/files/inbox/invoice-1.csv', { body: invoice });
    await rig.platform.http().post('/2.0/login/basic', { form: { username: 'initech', password: 'wrong' } });
    await untilRecorded('{auditCode="AUD0041A",entityName="/inbox/invoice-1.csv"}');
    await untilRecorded('{entityName^="/outbox/invoice-1"}');
    await untilRecorded('{dataoneUser="initech"}');
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  const untilRecorded = async (q: string): Promise<void> => {
    const bearer = await rig.platform.adminToken();
    const path = `/platform-application/api/v1/audit/logs?page=0&q=${encodeURIComponent(q)}`;
    await waitFor(
      async () => {
        const found = (await rig.platform.http().get(path, { bearer })).json();
        return Array.isArray(found) && found.length > 0;
      },
      { what: q, intervalMs: 200 },
    );
  };

  /** A page of the administrator. */
  const open = (address: string): Promise<WatchedPage> => openAsAdministrator(rig, address);

  /** Opens the record of the upload. */
  const openUpload = async (page: Page): Promise<void> => {
    await page.goto(`${rig.platform.url}/console/audit?auditCode=AUD0041A&fileHash=${hash}`);
    await page.getByRole('row').nth(1).getByRole('link').click();
  };

  describe('the audit log', () => {
    it('is searched by the address, counted over time, and saved in each format', async () => {
      const { page, takeErrors } = await open('/audit');
      await openUpload(page);
      await page.goBack();
      await page.getByText(/^1 record since/u).waitFor();
      await keepScreenshot(page, 'console-audit');
      await page.getByText('As a table').click();
      expect(await findAccessViolations(page)).toEqual([]);
      for (const [format, content] of [
        ['NDJSON', '"entityName":"/inbox/invoice-1.csv"'],
        ['CSV', '/inbox/invoice-1.csv'],
        ['CEF', 'CEF:0|'],
        ['OCSF', '"class_uid"'],
      ] as const) {
        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: format }).click();
        expect(await readFile(await (await saved).path(), 'utf8')).toContain(content);
      }
      await openUpload(page);
      await page.getByRole('link', { name: 'All records with the same: SHA-256 of the file' }).click();
      await expect.poll(() => page.getByLabel('SHA-256 of the file').inputValue()).toBe(hash);
      await page.getByRole('row').filter({ hasText: 'Upload' }).getByText('/inbox/invoice-1.csv').waitFor();
      await page.goBack();
      await page.goBack();
      await page.getByLabel('Object', { exact: true }).fill('nobody"},{');
      await page.keyboard.press('Enter');
      await page.getByText('No record matches the filters.').waitFor();
      await page.reload();
      await expect.poll(() => page.getByLabel('Object', { exact: true }).inputValue()).toBe('nobody"},{');
      expect(takeErrors()).toEqual([]);
    });

    it('has records whose proof the page verifies, and does not if one bit of it differs', async () => {
      const { page, takeErrors } = await open('/audit');
      await openUpload(page);
      await page.getByText('Verified by this page').waitFor();
      await page.getByText('The checkpoint is signed by the key of the log.').waitFor();
      await keepScreenshot(page, 'console-record');
      expect(await findAccessViolations(page)).toEqual([]);

      await page.route('**/audit/export*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          body: (await response.text()).replace('/inbox/invoice-1', '/inbox/invoice-2'),
        });
      });
      await page.reload();
      await page.getByText('Not verified', { exact: true }).waitFor();
      await page.getByText('does not lead to the root').waitFor();
      await page.unrouteAll({ behavior: 'wait' });
      await page.route('**/logs/*/proof', async (route) => {
        const response = await route.fetch();
        // The number of records in the checkpoint.
        const body = (await response.text()).replace(/\n\n(.+)\n(\d+)\n/u, '\n\n$1\n1$2\n');
        await route.fulfill({ response, body });
      });
      await page.reload();
      await page.getByText('No key of the log has signed the checkpoint.').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('is verified as a whole, and put on hold and released', async () => {
      const { page, takeErrors } = await open('/audit-integrity');
      await page.getByText('The checkpoint is signed by the key of the log.').waitFor();
      await page.getByText('No anchor is configured', { exact: true }).waitFor();
      await page.getByText('Signed at', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Verify now' }).click();
      await page.getByText('The log is intact.').waitFor();
      await page.getByRole('button', { name: 'Place all records on hold' }).click();
      await page.getByLabel('Why').fill('Case 4711');
      await page.getByRole('dialog').getByRole('button', { name: 'Place all records on hold' }).click();
      await page.getByRole('cell', { name: 'Case 4711', exact: true }).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Release: Case 4711' }).click();
      await page.getByLabel('Why').fill('closed');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click();
      await page.getByText('No record is on hold.').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('loses personal values after a look at how many, and its proofs stay valid', async () => {
      const { page, takeErrors } = await open('/audit?dataoneUser=initech');
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page.getByRole('button', { name: 'Erase personal values' }).click();
      const dialog = page.locator('[role=dialog], [role=alertdialog]');
      for (const field of ['Message, which can contain the other values', 'User', 'Object', 'Client address'])
        expect(await dialog.getByRole('checkbox', { name: field, exact: true }).isChecked()).toBe(true);
      await dialog.getByLabel('Id of the object').check();
      expect(await findAccessViolations(page)).toEqual([]);
      await dialog.getByLabel('Why').fill('Request of 14 March');
      await dialog.getByRole('button', { name: 'Count the records' }).click();
      await dialog.getByText('Values of 1 record will be erased.').waitFor();
      await dialog.getByRole('button', { name: 'Erase personal values' }).click();
      await dialog.getByText('Values of 1 record were erased.').waitFor();
      expect(await dialog.getByRole('link', { name: 'Records of what was erased' }).getAttribute('href')).toContain(
        'auditCode=AUD0113A',
      );
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Verified by this page').waitFor();
      await expect.poll(() => page.getByRole('main').getByText('initech').count()).toBe(0);
      // What is gone cannot be erased again.
      await page.getByRole('button', { name: 'Erase personal values' }).click();
      await dialog.getByLabel('Why').fill('once more');
      await dialog.getByRole('button', { name: 'Count the records' }).click();
      await dialog.getByText('there is nothing to erase').waitFor();
      expect(await dialog.getByRole('button', { name: 'Erase personal values' }).isDisabled()).toBe(true);
      expect(takeErrors()).toEqual([]);
    });
  });

  testStories({ open, openUpload, untilRecorded, hash, rig: () => rig });
  testPrinting({ open, openUpload, hash, rig: () => rig });
  testRenames({ open, untilRecorded, rig: () => rig });

  testUnknownObjects({ open, rig: () => rig });

  testLimitedOperators(() => rig);
  testLimitedLinks(() => rig);
  testFirstPasswords(() => rig);
  testUses(() => rig);

  describe('the configuration', () => {
    testConfiguration({ open, rig: () => rig });
    testDrafts({ open, rig: () => rig });
  });

  testHostileTexts({ open, rig: () => rig });

  describe('partners, workflows and secrets', () => {
    testPartners({ open, rig: () => rig });
    testPermissionTables({ open, rig: () => rig });
    testPartnerLinks({ open, rig: () => rig });
    testObjectLinks({ open, rig: () => rig });
  });

  describe('on a small window without a mouse', () => {
    testNarrowPages({ open, rig: () => rig });
  });
});
