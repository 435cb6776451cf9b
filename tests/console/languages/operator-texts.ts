import { administeredParts } from '@waybill/contracts/endpoints/administration/part-table';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { expect, it } from 'vitest';
import type { LanguagesRig } from './open-languages.ts';
import { callApi, prepare } from './prepare-objects.ts';
import { logInTranslated, type TranslatedPage, watchTranslated } from './translated-page.ts';

/** Pages of the console that need nothing in their addresses, by what they are about. */
const fixedPages = {
  'jobs and files': [
    '/',
    '/approvals',
    '/expectations',
    '/files?user=acme',
    '/files?name=nope',
    '/job-submission',
    '/jobs',
    '/jobs?status=ERROR',
    '/jobs/999999',
    '/webhooks',
    '/uploads',
    '/webhooks/999999',
    '/no-such-page',
  ],
  'the configuration and the audit log': [
    '/access',
    '/access?user=acme&vfs=acme-files&path=/inbox&operation=upload',
    '/account',
    '/audit',
    '/audit?dataoneUser=acme',
    '/audit-integrity',
    '/configuration',
    '/configuration-document',
    '/configuration-drift',
    '/expiries',
    '/new-partner',
    '/partners/acme',
    '/partners/nope',
    '/secrets',
  ],
};

/** What the demo, this test and the examples of the platform are called. */
const names = [
  // What the platform says beyond the title of a code, and tasks.
  /^\(The change is refused: .*\)$/gsu,
  /^(?:log|webhook|wait-for-approval|write-file|gzip) ·\s*$/gu,
  /\(http\)/gu,
  /\b(?:checks?|ask|hook|hooks|fail|four-eyes|send|last|note|secret1|default|manual|platform|yaml|json|viewer|globex|initech|manager1|Waybill|The end\.|Why\?)\b/gu,
];

/** The operators' pages and dialogs have no text that is not translated. */
export function testOperatorTexts(rig: () => LanguagesRig): void {
  const logIn = async () => {
    const { page, takeErrors } = await rig().newPage({ locale: 'de-DE', timezoneId: 'UTC' });
    const translated = watchTranslated(page, `${rig().platform.url}/console`, names);
    await translated.open('/');
    await translated.look('login');
    await logInTranslated(page, 'admin', 'admin-demo');
    return { page, takeErrors, translated };
  };

  it.each(Object.entries(fixedPages))(
    'is that of every text of the operators’ pages about %s, and of what their buttons lead to',
    async (_, addresses) => {
      await prepare(rig());
      const { takeErrors, translated } = await logIn();
      for (const address of addresses) await translated.pressAll(address);
      expect(takeErrors()).toEqual([]);
    },
  );

  it('is that of every text about one job, delivery, record and file, and of what their buttons lead to', async () => {
    const { jobs, delivery, record, dfiid } = await prepare(rig());
    const { takeErrors, translated } = await logIn();
    for (const address of [
      ...jobs.map((job) => `/jobs/${job}`),
      `/webhooks/${delivery}`,
      `/audit/${record}`,
      `/files/${dfiid}`,
    ])
      await translated.pressAll(address);
    expect(takeErrors()).toEqual([]);
  });

  it('is that of every text about each kind of objects, and about one of each', async () => {
    await prepare(rig());
    const { takeErrors, translated } = await logIn();
    for (const { collection } of [...administeredResources, ...administeredParts]) {
      await translated.open(`/configuration/${collection}`);
      await translated.look(collection);
      const { items } = (await callApi(rig(), 'GET', `/platform-application/api/v1/${collection}?maxItems=1`)) as {
        items: { name: string; actor?: string; cluster?: string; contract?: string }[];
      };
      const [first] = items;
      if (first === undefined || administeredParts.some((part) => part.collection === collection)) continue;
      const query = first.actor === undefined ? '' : `?actor=${encodeURIComponent(first.actor)}`;
      await translated.pressAll(`/configuration/${collection}/${encodeURIComponent(first.name)}${query}`);
    }
    await translated.pressAll('/configuration/queues?new=yes');
    expect(takeErrors()).toEqual([]);
  });

  it('is that of every text of the operators’ dialogs until their results', async () => {
    const { page, takeErrors, translated } = await (await prepare(rig()), logIn());
    await changeJobs(translated);
    await replayDeliveries(translated);
    await deleteUploads(translated);
    await decide(translated);
    await changeObjects(translated);
    await keepSecrets(translated);
    await redact(translated);
    await page.close();
    expect(takeErrors()).toEqual([]);
  });
}

async function changeJobs({ page, open, look }: TranslatedPage): Promise<void> {
  await open('/jobs');
  await page.getByLabel('⟦Status⟧').selectOption('COMPLETED');
  await page.waitForURL(/status=/u);
  for (const action of ['⟦Abort⟧', '⟦Resubmit⟧']) {
    await page.getByRole('button', { name: action, exact: true }).click();
    await look(`preview of ${action}`);
    const act = page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: action, exact: true });
    if (await act.isEnabled()) await act.click();
    await look(`result of ${action}`);
    await page.keyboard.press('Escape');
  }
}

async function replayDeliveries({ page, open, look }: TranslatedPage): Promise<void> {
  await open('/webhooks');
  await page
    .getByLabel(/^⟦Select delivery/u)
    .first()
    .check();
  await page.getByRole('button', { name: '⟦Replay⟧', exact: true }).click();
  await look('replay');
  await page.getByRole('alertdialog').getByRole('button', { name: '⟦Replay⟧', exact: true }).click();
  await look('results of replays');
  await page.keyboard.press('Escape');
}

async function deleteUploads({ page, open, look }: TranslatedPage): Promise<void> {
  await open('/uploads');
  await page
    .getByLabel(/^⟦Select the upload/u)
    .first()
    .check();
  await page.getByRole('button', { name: '⟦Delete⟧', exact: true }).click();
  await look('deletion of uploads');
  await page.getByRole('alertdialog').getByRole('button', { name: '⟦Delete⟧', exact: true }).click();
  await look('results of deletions');
  await page.keyboard.press('Escape');
}

async function decide({ page, open, look }: TranslatedPage): Promise<void> {
  await open('/approvals');
  for (const action of ['Approve', 'Reject']) {
    await page
      .getByRole('button', { name: new RegExp(`^⟦${action} job`, 'u') })
      .first()
      .click();
    await look(action);
    const button = page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: `⟦${action}⟧` });
    await button.click();
    await button.waitFor({ state: 'detached' });
    await look(`${action}: done`);
  }
}

async function changeObjects({ page, open, look, press }: TranslatedPage): Promise<void> {
  await open('/configuration/queues?new=yes');
  const settings = page.getByLabel('⟦Settings⟧', { exact: true });
  for (const text of ['name: checks\npriority: many\n', 'name: [', 'name: checks\npriority: 5\nparallelism: 1\n']) {
    await settings.fill(text);
    await press('⟦Show the difference⟧');
  }
  await press('⟦Create⟧');
  await press('⟦Edit⟧');
  await settings.fill('name: checks\npriority: 6\nparallelism: 1\n');
  await press('⟦Show the difference⟧');
  await page.getByRole('link', { name: '⟦Jobs⟧', exact: true }).first().click();
  await look('a text that is not saved');
  await page.keyboard.press('Escape');
  await press('⟦Save⟧');
  await press('⟦Delete⟧');
  await page.getByRole('alertdialog').getByRole('button', { name: '⟦Delete⟧', exact: true }).click();
  await look('deletion');
  await open('/configuration-document');
  await page.getByLabel('⟦Source (optional)⟧').fill('checks');
  await page.getByLabel('⟦Document⟧').fill('queues:\n  - name: checks\n    priority: 5\n    parallelism: 1\n');
  await press('⟦Plan⟧');
  await press('⟦Apply⟧');
}

async function keepSecrets({ page, open, look }: TranslatedPage): Promise<void> {
  await open('/secrets');
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await page.getByRole('button', { name: '⟦Store a secret⟧' }).click();
  await dialog.getByLabel('⟦Name⟧').fill('secret1');
  await dialog.getByLabel('⟦Value⟧').fill('two\nlines');
  await look('a secret');
  await dialog.getByRole('button', { name: '⟦Store a secret⟧' }).click();
  await dialog.waitFor({ state: 'detached' });
  for (const action of ['Replace', 'Delete']) {
    await page.getByRole('button', { name: new RegExp(`${action}.*: secret1`, 'u') }).click();
    await look(`${action}: a secret`);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: '⟦Generate an SSH key⟧' }).click();
  await dialog.getByLabel('⟦Name⟧').fill('check-key');
  await look('a new key');
  await dialog.getByRole('button', { name: '⟦Generate⟧' }).click();
  await dialog.getByText('ssh-ed25519').waitFor();
  await look('a public key');
}

async function redact({ page, open, look }: TranslatedPage): Promise<void> {
  await open('/audit?dataoneUser=acme');
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await page.getByRole('button', { name: '⟦Erase personal values⟧' }).click();
  await dialog.getByLabel('⟦Client address⟧').check();
  await dialog.getByLabel('⟦Why (for the audit log)⟧').fill('Why?');
  await dialog.getByRole('button', { name: '⟦Count the records⟧' }).click();
  await look('count of records to erase');
}
