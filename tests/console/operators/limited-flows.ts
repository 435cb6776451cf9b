import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import type { OperatorsRig } from './open-operators.ts';
import { beginUpload } from './uploads/begin-upload.ts';

/** What an operator of one partner sees. The other partner has sent a file, and is logged in. */
export function testLimitedOperators(rig: () => OperatorsRig): void {
  it('an operator of one partner is offered what works, and sees nothing of the other partner', async () => {
    const { url } = rig().platform;
    const partner = rig().platform.http();
    await partner.post('/2.0/login/basic', { form: { username: 'globex', password: 'globex-demo' } });
    await partner.put('/2.0/files/data/other.csv', { body: 'a,b\n' });
    await beginUpload(rig().platform, 'globex', '/data/half');
    await untilListed(rig(), 'globex');
    const { page, takeErrors } = await rig().logIn('lena');
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const links = async (name: string) => {
      const found = page.getByRole('navigation', { name, exact: true }).getByRole('link');
      await found.first().waitFor();
      return await Promise.all((await found.all()).map(async (link) => (await link.getAttribute('href')) ?? ''));
    };
    const main = page.getByRole('main');
    const visit = async (address: string) => {
      await page.goto(new URL(address, url).href);
      await main.getByRole('heading', { level: 1 }).waitFor();
      // Panels without such a text are read, too, and some come after others.
      await page.waitForTimeout(500);
      await waitFor(async () => (await main.getByText('Loading').count()) === 0, { what: 'the page to be read' });
      expect([address, (await main.innerText()).includes('globex')]).toEqual([address, false]);
    };
    const pages = await links('Pages');
    expect(pages.map((address) => address.replace('/console', ''))).toEqual([
      '/',
      '/jobs',
      '/approvals',
      '/expectations',
      '/webhooks',
      '/uploads',
      '/files',
      '/configuration',
      '/access',
    ]);
    for (const address of pages) await visit(address);
    await visit('/console/');
    for (const panel of ['Sessions over SFTP', 'Sessions over HTTP', 'Running transfers', 'Over time'])
      await page.getByRole('heading', { name: panel }).first().waitFor();
    expect(await main.innerText()).not.toContain('globex');
    expect(await findAccessViolations(page)).toEqual([]);
    await visit('/console/configuration');
    for (const name of ['The configuration as a whole', 'Objects'])
      for (const address of await links(name)) {
        await visit(address);
        await visit('/console/configuration');
      }
    await visit('/console/files?path=/inbox/invoice*');
    await page.getByRole('link', { name: '/inbox/invoice-1.csv' }).first().waitFor();
    await page.goto(`${url}/console/files?actor=globex`);
    await page.getByText('No file matches.').waitFor();
    await page.goto(`${url}/console/access?user=globex&path=/data`);
    await page.getByText('There is no user globex of an actor').waitFor();
    expect([refused, takeErrors()]).toEqual([[], []]);
  });
}

async function untilListed({ platform }: OperatorsRig, user: string): Promise<void> {
  const bearer = await platform.adminToken();
  const q = encodeURIComponent(`{dataoneUser="${user}",auditCode="AUD0041A"}`);
  await waitFor(
    async () => {
      const path = `/platform-application/api/v1/audit/logs?page=0&q=${q}`;
      const found = (await platform.http().get(path, { bearer })).json();
      return Array.isArray(found) && found.length > 0;
    },
    { what: `an upload of ${user}`, intervalMs: 200 },
  );
}
