import { describe, expect, it } from 'vitest';
import { findAccessViolations, type WatchedPage } from '../../open-browser.ts';
import { sendLogin } from '../../send-login.ts';
import { untilFocused } from '../../until-focused.ts';
import type { OperatorsRig } from '../open-operators.ts';

/** Links between the objects of a partner, on a platform that other tests share. */
export function testObjectLinks(props: {
  readonly open: (address: string) => Promise<WatchedPage>;
  readonly rig: () => OperatorsRig;
}): void {
  const { open, rig } = props;

  describe('links between objects, in the console', () => {
    const owned = (collection: string, name: string) => ({ collection, name, actor: 'webonly' });

    it('lead from the first hundred objects of a partner to all of them', async () => {
      const { platform } = rig();
      const bearer = await platform.adminToken();
      const connections = Array.from({ length: 101 }, (_, index) => ({
        object: { collection: 'client-connections', name: `many-${1_000 + index}`, actor: 'many' },
        create: { type: 'http', url: 'https://many.example.org/' },
      }));
      const actor = { object: { collection: 'actors', name: 'many' }, create: { type: 'Partner' } };
      for (const changes of [[actor, ...connections.slice(0, 50)], connections.slice(50)])
        expect(
          (
            await platform
              .http()
              .post('/platform-application/api/v1/configuration/changes', { bearer, json: { changes } })
          ).status,
        ).toBe(201);
      const { page, takeErrors } = await open('/partners/many');
      await page.getByRole('link', { name: 'many-1099', exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'many-1100', exact: true }).count()).toBe(0);
      await page.getByRole('link', { name: 'Only the first 100 are shown: all of them', exact: true }).click();
      await expect.poll(() => new URL(page.url()).search).toBe('?actor=many');
      await page.getByRole('link', { name: 'many-1000', exact: true }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('explain a user over the protocol of the Connection Contract, and lead from each rule to its object', async () => {
      const { platform } = rig();
      const bearer = await platform.adminToken();
      const changes = [
        { object: { collection: 'actors', name: 'webonly' }, create: { type: 'Partner' } },
        { object: owned('users', 'webonly'), create: { password: 'a-first-password' } },
        { object: owned('virtual-file-systems', 'webonly-files'), create: { folders: ['/inbox'] } },
        {
          object: owned('connection-contracts', 'webonly-http'),
          create: {
            cluster: 'cluster1',
            server: 'http-server',
            clauses: [{ user: 'webonly', vfs: 'webonly-files', mountPath: '/m' }],
          },
        },
      ];
      const path = '/platform-application/api/v1/configuration/changes';
      const made = await platform.http().post(path, { bearer, json: { changes } });
      expect([made.status, made.text]).toEqual([201, expect.any(String)]);
      const { page, takeErrors } = await open('/partners/webonly');
      const explanation =
        '/console/access?user=webonly&path=%2Fm&operation=list&protocol=HTTP&cluster=cluster1&server=http-server';
      for (const row of [/^webonly-http /u, /^webonly enabled/u])
        await expect
          .poll(() =>
            page
              .getByRole('row', { name: row })
              .getByRole('link', { name: /^Explain/u })
              .getAttribute('href'),
          )
          .toBe(explanation);
      await page
        .getByRole('row', { name: /^webonly-http /u })
        .getByRole('link', { name: /^Explain/u })
        .click();
      await page.getByText('It is allowed.').waitFor();
      expect(await page.getByLabel('Protocol').inputValue()).toBe('HTTP');
      const rules = page.getByRole('group', { name: 'The rules that decided, in order' });
      await rules.getByRole('link', { name: 'webonly-files' }).waitFor();
      const at = (address: string) => `/console/configuration/${address}`;
      const contract = at('connection-contracts/webonly-http?actor=webonly');
      const links = await rules.getByRole('link').all();
      expect(
        await Promise.all(links.map(async (link) => [await link.textContent(), await link.getAttribute('href')])),
      ).toEqual([
        ['webonly', at('users/webonly?actor=webonly')],
        ['either', at('users/webonly?actor=webonly')],
        ['cluster1/http-server', at('clusters/cluster1')],
        ['webonly-http', contract],
        ['clauses[0]', contract],
        ['/m', contract],
        ['webonly-files', at('virtual-file-systems/webonly-files?actor=webonly')],
      ]);
      expect(await findAccessViolations(page)).toEqual([]);
      await rules.getByRole('link', { name: 'webonly-http' }).click();
      await page.getByRole('heading', { name: 'Connection Contract: webonly-http' }).waitFor();
      // Who may not read clusters does not know the protocol of a server.
      const lena = await rig().logIn('lena', '/partners/acme');
      await lena.page
        .getByRole('row', { name: /^acme-http /u })
        .getByRole('link', { name: /^Explain/u })
        .click();
      await lena.page.getByText('It is allowed.').or(lena.page.getByText('It is refused.')).waitFor();
      expect(await lena.page.getByLabel('Protocol').inputValue()).toBe('HTTP');
      expect(await lena.page.locator('a[href*="/clusters/"]').count()).toBe(0);
      expect([takeErrors(), lena.takeErrors()]).toEqual([[], []]);
    });

    it('lead from an object to its partner, to what it refers to, and to its jobs', async () => {
      const { url } = rig().platform;
      const { page, takeErrors } = await open('/configuration/contracts/invoices?actor=acme');
      const related = page.getByRole('region', { name: 'Related', exact: true });
      const titles = () => related.getByRole('link').allTextContents();
      await expect
        .poll(titles)
        .toEqual([
          'Partner: acme',
          'Queue: Default Queue',
          'Workflow template: compress-file',
          'Workflow template: write-report',
          'Virtual file system: acme-files',
          'Jobs',
        ]);
      expect(await findAccessViolations(page)).toEqual([]);
      await related.getByRole('link', { name: 'Jobs' }).click();
      await page.waitForURL(/\/jobs\?contract=invoices$/u);
      for (const [address, expected] of [
        ['users/acme?actor=acme', ['Partner: acme', 'Files', 'Explain']],
        ['queues/Default%20Queue', ['Jobs']],
        ['virtual-file-systems/acme-files?actor=acme', ['Partner: acme', 'Storage class: local', 'Files']],
        [
          'connection-contracts/acme-http?actor=acme',
          ['Partner: acme', 'Cluster: cluster1', 'User: acme', 'Virtual file system: acme-files'],
        ],
      ] as const) {
        await page.goto(`${url}/console/configuration/${address}`);
        await expect.poll(titles, { message: address }).toEqual(expected);
      }
      await related.getByRole('link', { name: 'Cluster: cluster1' }).click();
      await page.getByRole('heading', { name: 'Cluster: cluster1' }).waitFor();
      const lena = await rig().logIn('lena', '/configuration/contracts/invoices?actor=acme');
      await expect
        .poll(() => lena.page.getByRole('region', { name: 'Related', exact: true }).getByRole('link').allTextContents())
        .toEqual(['Partner: acme', 'Virtual file system: acme-files', 'Jobs']);
      expect([takeErrors(), lena.takeErrors()]).toEqual([[], []]);
    });

    it('lead from the page of a partner to editors with its name, and from the actors to a new partner', async () => {
      const { url } = rig().platform;
      const { page, takeErrors } = await open('/partners/initech');
      for (const kind of ['user', 'virtual file system', 'Connection Contract', 'contract', 'client connection'])
        await page.getByRole('link', { name: `Create: ${kind}`, exact: true }).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      const settings = page.getByRole('textbox', { name: 'Settings' });
      for (const kind of ['client connection', 'user']) {
        await page.goto(`${url}/console/partners/initech`);
        await page.getByRole('link', { name: `Create: ${kind}`, exact: true }).click();
        await expect.poll(() => settings.inputValue()).toContain('actor: initech');
      }
      await settings.fill('name: made-of-initech\nactor: initech\n');
      await page.getByRole('button', { name: 'Show the difference' }).click();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'User: made-of-initech' }).waitFor();
      const lena = await rig().logIn('lena', '/partners/acme');
      await lena.page.getByRole('group', { name: 'Users' }).waitFor();
      expect(await lena.page.getByRole('link', { name: /^Create:/u }).count()).toBe(0);
      await page.goto(`${url}/console/configuration/actors`);
      await page.getByRole('link', { name: 'New partner' }).click();
      await page.getByRole('heading', { name: 'New partner' }).waitFor();
      expect([takeErrors(), lena.takeErrors()]).toEqual([[], []]);
    });

    it('lead to a new partner where there is none yet, for those who may create one', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      const empty = '**/platform-application/api/v1/actors?*';
      await page.route(empty, (route) => route.fulfill({ json: { items: [] } }));
      await page.goto(`${rig().platform.url}/console/`);
      await sendLogin(page, 'admin', 'admin-demo');
      const sentence = page.getByRole('main').getByText('There is no partner yet. Begin here:');
      await sentence.getByRole('link', { name: 'New partner' }).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.goto(`${rig().platform.url}/console/configuration/actors`);
      await page.getByText('There are no actors.').waitFor();
      await expect.poll(() => page.getByRole('main').getByRole('link', { name: 'New partner' }).count()).toBe(2);
      expect(await findAccessViolations(page)).toEqual([]);
      await page.unroute(empty);
      await page.goto(`${rig().platform.url}/console/`);
      await page.getByRole('heading', { name: 'Audit log' }).waitFor();
      expect(await sentence.count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('say at the field what is wrong with a new partner, which gets a Connection Contract on each server', async () => {
      const { page, takeErrors } = await open('/new-partner');
      const name = page.getByLabel('Name of the partner');
      const review = page.getByRole('button', { name: 'Show the difference' });
      await name.fill('um brella');
      await page.getByLabel('cluster1 · http-server (HTTP)').check();
      await review.click();
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').allTextContents()).toEqual(['has no blanks, slashes or colons']);
      expect(await name.getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
      await untilFocused(page, 'Name of the partner');
      expect(await findAccessViolations(page)).toEqual([]);
      await name.fill('umbrella');
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.getByLabel('Name of the user').fill('acme');
      await review.click();
      await page.getByText('exists already').waitFor();
      expect(await page.getByLabel('Name of the user').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Name of the user').fill('<b>"${{1}}</b>');
      await review.click();
      await page.getByRole('alert').waitFor();
      expect(await page.getByLabel('Name of the user').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Name of the user').fill('');
      for (const server of ['sftp-server (SFTP)', 'http-server (HTTP)'])
        await page.getByLabel(`cluster1 · ${server}`).uncheck();
      await review.click();
      expect(await page.locator('input[type=checkbox]:invalid').count()).toBe(2);
      for (const server of ['sftp-server (SFTP)', 'http-server (HTTP)'])
        await page.getByLabel(`cluster1 · ${server}`).check();
      await page.getByLabel('Name of the Connection Contract on cluster1 · http-server').fill('umbrella-web');
      await review.click();
      await page.getByText('Connection Contract · umbrella-sftp-server').waitFor();
      await page.getByRole('button', { name: 'Create the partner' }).click();
      await page.getByRole('heading', { name: 'Partner: umbrella' }).waitFor();
      const contracts = page.getByRole('group', { name: 'Connection Contracts' });
      await contracts.getByRole('row', { name: /^umbrella-sftp-server cluster1 · sftp-server/u }).waitFor();
      await contracts.getByRole('row', { name: /^umbrella-web cluster1 · http-server/u }).waitFor();
      expect(takeErrors()).toEqual([]);
    });
  });
}
