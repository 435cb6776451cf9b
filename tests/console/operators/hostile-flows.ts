import { waitFor } from '@waybill/test-kit/wait-for';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from '../open-browser.ts';
import { findFaults } from '../page-checks.ts';
import { sendLogin } from '../send-login.ts';
import { untilDialogFocused } from '../until-focused.ts';
import { pressUntil } from './keyboard.ts';
import type { OperatorsRig } from './open-operators.ts';

/** HTML, SVG, a script and a change of the writing direction, as people may name things. */
const markup = '<img src=x onerror="hasRun=1"><svg onload="hasRun=1"><script>hasRun=1;{{7*7}} \u202Efdp.exe';

/** The same as names of new objects may be: nothing in them changes the writing direction. */
const objectName = markup.replace('\u202E', '');

/** As long as a path can be. */
const longest = `${markup}</script>${'w'.repeat(4_096 - Buffer.byteLength(markup) - 9)}`;

/** As long as the name of a file can be. */
const fileName = `${markup}${'f'.repeat(255 - Buffer.byteLength(markup))}`;

const api = '/platform-application/api/v1';

/** Enlarged to 200 %, a window of 1280 pixels shows as much as one of 640. */
const windows = {
  'at 320 pixels': { colorScheme: 'light', width: 320, height: 640 },
  'in the dark scheme': { colorScheme: 'dark', width: 1_100, height: 750 },
  'enlarged to 200 %': { colorScheme: 'light', width: 640, height: 512 },
} as const;

/** Pages that show hostile texts, on a platform that other tests share. */
export function testHostileTexts({
  open,
  rig,
}: {
  /** Opens a page below `/console` as an administrator. */
  readonly open: (address: string) => Promise<WatchedPage>;
  readonly rig: () => OperatorsRig;
}): void {
  describe('texts of strangers', () => {
    let dfiid: string;
    beforeAll(async () => {
      const { platform } = rig();
      const partner = platform.http();
      await partner.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
      const stored = await partner.put(`/2.0/files/inbox/${encodeURIComponent(fileName)}`, { body: longest });
      expect(stored.status).toBe(201);
      await platform.http().post('/2.0/login/basic', { form: { username: longest, password: longest } });
      await platform.http().post(`${api}/auth/login`, { json: { username: longest, password: longest } });
      const bearer = await platform.adminToken();
      const queue = { name: objectName, priority: 5, parallelism: 1 };
      const template = {
        name: `template ${objectName}`,
        description: longest.slice(0, 2_000),
        steps: [{ name: 'write', uses: 'write-file', with: { path: '/outbox/x', text: longest } }],
      };
      for (const [path, json] of [
        ['/queues', queue],
        ['/workflow-templates', template],
      ] as const)
        expect((await platform.http().post(`${api}${path}`, { bearer, json })).text).toContain('onerror');
      await waitFor(
        async () => {
          const q = encodeURIComponent('{entityName^="/inbox/<img",auditCode="AUD0041A"}');
          const found = (await platform.http().get(`${api}/audit/logs?page=0&q=${q}`, { bearer })).json();
          dfiid = (found as { dfiid: string }[])[0]?.dfiid ?? '';
          return dfiid !== '';
        },
        { what: 'the record of the upload' },
      );
    });

    const openObject = async (page: Page, kind: string, name: string): Promise<void> => {
      await page.goto(`${rig().platform.url}/console/configuration/${kind}`);
      await page.getByRole('link', { name }).first().click();
      await page.getByRole('region', { name: 'Settings' }).waitFor();
    };

    it('are only texts, and spoil no page: at 320 pixels, in the dark scheme, enlarged to 200 %', async () => {
      const { page, takeErrors } = await open('/audit');
      const check = (place: string): Promise<void> => checkInAllWindows(page, place);
      await page.getByText(/records since/u).waitFor();
      await check('audit');
      await page.goto(`${rig().platform.url}/console/audit?auditOperation=SERVER_LOGIN_FAILED`);
      await page.goto(`${rig().platform.url}/console/audit?dataoneUser=${encodeURIComponent('<img*')}`);
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page.getByText('Verified by this page').waitFor();
      await page.getByText('What else is hashed').click();
      await page.getByText('What was computed').click();
      await check('record');
      await page.getByRole('button', { name: 'Erase personal values' }).click();
      await page.getByRole('group', { name: 'Values to erase' }).waitFor();
      await check('redaction');
      await page.goto(`${rig().platform.url}/console/files?path=/inbox/<img*`);
      await page.getByRole('link', { name: 'onerror' }).first().waitFor();
      await check('files');
      await page.goto(`${rig().platform.url}/console/files/${dfiid}`);
      await page.getByRole('heading', { name: 'The story of' }).waitFor();
      await page.getByRole('link', { name: 'Upload', exact: true }).first().waitFor();
      await check('story');
      await page.goto(`${rig().platform.url}/console/audit-integrity`);
      await page.getByText('The checkpoint is signed by the key of the log.').waitFor();
      await check('integrity');
      await page.goto(`${rig().platform.url}/console/configuration`);
      await page.getByRole('navigation', { name: 'Objects' }).getByRole('link').first().waitFor();
      await check('configuration');
      await page.goto(`${rig().platform.url}/console/configuration/queues`);
      await page.getByRole('link', { name: 'onerror' }).first().waitFor();
      await check('queues');
      await openObject(page, 'workflow-templates', 'onerror');
      await check('workflow template');
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('button', { name: 'Show the difference' }).waitFor();
      await check('editor');
      await openObject(page, 'queues', 'onerror');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').waitFor();
      await check('deletion');
      await page.goto(`${rig().platform.url}/console/access?user=acme&path=/inbox/${encodeURIComponent(fileName)}`);
      await page.getByText(/^It is/u).waitFor();
      await check('access');
      expect(takeErrors()).toEqual([]);
    });

    it('are no more at the login', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/console/${encodeURIComponent(markup)}?x=${encodeURIComponent(markup)}`);
      await sendLogin(page, longest, longest);
      await page.getByRole('alert').waitFor();
      await checkInAllWindows(page, 'login');
      expect(takeErrors()).toEqual([]);
    });
  });

  describe('without a mouse', () => {
    const isHeading = (text: string) => `at.tagName === 'H1' && at.textContent.startsWith(${JSON.stringify(text)})`;
    const isNamed = (name: string) => `(at.getAttribute('aria-label') ?? at.textContent) === ${JSON.stringify(name)}`;

    it('a record is found, and the story of its file is read and verified', async () => {
      const { page, takeErrors } = await open('/audit');
      await pressUntil(page, 'Tab', `at.labels?.[0]?.textContent === 'Object'`);
      await page.keyboard.type('/inbox/invoice-1.csv');
      await page.keyboard.press('Enter');
      await page.waitForURL(/entityName=/u);
      // The list of all records stays until the answer to the filter is there.
      await page.getByRole('row').nth(1).getByText('/inbox/invoice-1.csv').first().waitFor();
      await page.getByText(/records? since/u).waitFor();
      await pressUntil(page, 'Tab', `at.tagName === 'A' && at.closest('[role=row]') !== null`);
      await page.keyboard.press('Enter');
      await page.getByText('Verified by this page').waitFor();
      await pressUntil(page, 'Tab', isHeading('Audit record'));
      await pressUntil(page, 'Shift+Tab', isNamed('Files'));
      await page.keyboard.press('Enter');
      await pressUntil(page, 'Tab', `at.labels?.[0]?.textContent === 'File name'`);
      // A beginning of names would find the newest record, that of the copy in the outbox.
      await page.keyboard.type('invoice-1.csv');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: '/inbox/invoice-1.csv' }).first().waitFor();
      await pressUntil(page, 'Tab', isNamed('/inbox/invoice-1.csv'));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Verify all in this page' }).waitFor();
      // Screen readers begin with the title of the new page.
      await pressUntil(page, 'Tab', isHeading('The story of'));
      await pressUntil(page, 'Tab', isNamed('Verify all in this page'));
      await page.keyboard.press('Enter');
      await page.getByText(/records are verified by this page/u).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('an object is found and deleted, and a deletion can be given up', async () => {
      const bearer = await rig().platform.adminToken();
      const json = { name: 'Keyboard Queue', priority: 5, parallelism: 1 };
      await rig().platform.http().post(`${api}/queues`, { bearer, json });
      const { page, takeErrors } = await open('/configuration');
      await pressUntil(page, 'Tab', isNamed('Queues'));
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Keyboard Queue' }).waitFor();
      await pressUntil(page, 'Tab', isNamed('Keyboard Queue'));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Delete' }).waitFor();
      await pressUntil(page, 'Tab', isNamed('Delete'));
      await page.keyboard.press('Enter');
      await untilDialogFocused(page);
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      // The focus returns to what opened the dialog.
      const focused = () => page.evaluate<string>('document.activeElement.textContent');
      await expect.poll(focused).toBe('Delete');
      await page.keyboard.press('Enter');
      await pressUntil(page, 'Tab', `${isNamed('Delete')} && at.closest('[role=alertdialog]') !== null`);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Queues' }).waitFor();
      await page.getByRole('link', { name: 'Keyboard Queue' }).waitFor({ state: 'detached' });
      expect(takeErrors()).toEqual([]);
    });
  });
}

async function checkInAllWindows(page: Page, place: string): Promise<void> {
  for (const [window, { colorScheme, ...size }] of Object.entries(windows)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    // Lists have their new rows with the next frame.
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
    expect(await findFaults(page), `${place}, ${window}`).toEqual([]);
  }
}
