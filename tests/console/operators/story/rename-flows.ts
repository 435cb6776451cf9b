import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import { expect, it } from 'vitest';
import { findAccessViolations, type WatchedPage } from '../../open-browser.ts';
import type { OperatorsRig } from '../open-operators.ts';

/** The stories of files that were renamed, or that are in folders that were. */
export function testRenames({
  open,
  untilRecorded,
  rig,
}: {
  /** Opens a page below `/console` as an administrator. */
  readonly open: (address: string) => Promise<WatchedPage>;
  /** Waits for a record that matches a filter. */
  readonly untilRecorded: (q: string) => Promise<void>;
  readonly rig: () => OperatorsRig;
}): void {
  it('a file that was renamed is found by its former name, and shows the new one', async () => {
    const client = rig().platform.http();
    await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
    await client.put('/2.0/files/inbox/letter.part', { body: 'x' });
    const json = { from: '/inbox/letter.part', to: '/inbox/letter <b>1.txt' };
    expect((await client.post('/2.0/move', { json })).status).toBe(200);
    await untilRecorded('{auditCode="AUD0040A",entityName="/inbox/letter.part"}');
    const { page, takeErrors } = await rig().logIn('olga', '/files?name=letter.part');
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: '/inbox/letter.part' }) });
    await row.getByRole('cell', { name: json.to, exact: true }).waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });

  it('a file that was renamed over SFTP, twice, has one story under all of its names, and another file of its first name has another one', async () => {
    const session = openSftpSession({ port: rig().platform.sftpPort, user: 'acme', password: 'acme-demo' });
    for (const command of [
      'put /etc/hostname /inbox/chain-a.txt',
      'rename /inbox/chain-a.txt /inbox/chain-b.txt',
      'rename /inbox/chain-b.txt /inbox/chain-c.txt',
      'put /etc/hosts /inbox/chain-a.txt',
      'bye',
    ])
      session.send(command);
    await session.exited;
    await untilRecorded('{auditCode="AUD0040A",entityName="/inbox/chain-b.txt"}');
    const files = '/files?path=/inbox/chain-c.txt';
    const { page, takeErrors } = await rig().logIn('olga', files);
    const table = page.getByRole('table', { name: 'Files that were found, newest first' });
    const links = table.getByRole('link');
    const found = async (query: string): Promise<string[]> => {
      await page.goto(`${rig().platform.url}/console/files?${query}`);
      await links.first().waitFor();
      return links.allTextContents();
    };
    // Nothing has happened under the last name yet.
    await table.getByRole('cell', { name: '/inbox/chain-c.txt', exact: true }).waitFor();
    const reader = openSftpSession({ port: rig().platform.sftpPort, user: 'acme', password: 'acme-demo' });
    reader.send('get /inbox/chain-c.txt /dev/null');
    reader.send('bye');
    await reader.exited;
    await untilRecorded('{auditCode="AUD0042A",entityName="/inbox/chain-c.txt"}');
    expect(await found('name=chain-c.txt')).toEqual(['/inbox/chain-c.txt']);
    expect(await found('path=/inbox/chain-b.txt')).toEqual(['/inbox/chain-b.txt']);
    expect(await found('name=chain-a.txt')).toEqual(['/inbox/chain-a.txt', '/inbox/chain-a.txt']);
    const addresses = new Set<string | null>();
    for (const query of ['path=/inbox/chain-c.txt', 'name=chain-b.txt', 'name=chain-a.txt']) {
      await found(query);
      addresses.add(await links.last().getAttribute('href'));
    }
    expect(addresses.size).toBe(1);
    await links.last().click();
    await page.getByRole('heading', { name: 'The story of /inbox/chain-a.txt' }).waitFor();
    await page.getByText('/inbox/chain-c.txt', { exact: true }).waitFor();
    const events = page.getByRole('region', { name: 'What has happened' }).getByRole('listitem');
    await expect
      .poll(() => events.locator('[title^="SERVER_"]').allTextContents())
      .toEqual(['Login', 'Upload', 'Rename', 'Rename', 'Download']);
    await events.filter({ hasText: 'Download' }).filter({ hasText: '/inbox/chain-c.txt' }).waitFor();
    // The other file.
    await found('name=chain-a.txt');
    await links.first().click();
    await events.first().waitFor();
    expect((await events.allTextContents()).filter((text) => /Rename|Download/u.test(text))).toEqual([]);
    expect(await findAccessViolations(page)).toEqual([]);
    expect(takeErrors()).toEqual([]);
  });

  it('a file is found by its path after folders above it were renamed, and its story has these renames, with their proofs', async () => {
    const client = rig().platform.http();
    await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
    const move = async (from: string, to: string): Promise<void> => {
      expect((await client.post('/2.0/move', { json: { from, to } })).status).toBe(200);
      await untilRecorded(`{auditOperation="SERVER_RENAME_DIR",entityName="${from}"}`);
    };
    for (const folder of ['week', 'week/day', 'other'])
      expect((await client.put(`/2.0/folders/inbox/${folder}`)).status).toBe(201);
    await client.put('/2.0/files/inbox/week/day/moved.txt', { body: 'x' });
    await move('/inbox/other', '/inbox/another');
    await move('/inbox/week/day', '/inbox/week/<b>day');
    await move('/inbox/week', '/inbox/week-48');
    // Another file has its former path.
    for (const folder of ['week', 'week/day'])
      expect((await client.put(`/2.0/folders/inbox/${folder}`)).status).toBe(201);
    await client.put('/2.0/files/inbox/week/day/moved.txt', { body: 'other' });
    await untilRecorded('{auditCode="AUD0041A",entityName="/inbox/week/day/moved.txt"}');
    const [last, first] = ['/inbox/week-48/<b>day/moved.txt', '/inbox/week/day/moved.txt'];
    for (const { page, takeErrors } of [
      await open(`/files?path=${encodeURIComponent(last)}`),
      await rig().logIn('olga', `/files?path=${encodeURIComponent(last)}`),
    ]) {
      const table = page.getByRole('table', { name: 'Files that were found, newest first' });
      await table.getByRole('cell', { name: last, exact: true }).waitFor();
      expect(await table.getByRole('link').allTextContents()).toEqual([first]);
      expect(await findAccessViolations(page)).toEqual([]);
      await table.getByRole('link').click();
      await page.getByRole('heading', { name: `The story of ${first}` }).waitFor();
      await page.getByText(last, { exact: true }).waitFor();
      const events = page.getByRole('region', { name: 'What has happened' }).getByRole('listitem');
      await events.first().waitFor();
      const renames = (await events.allTextContents()).filter((text) => text.includes('Folder renamed'));
      expect(renames.map((text) => /from (\S+) to (\S+)/u.exec(text)?.slice(1))).toEqual([
        ['/inbox/week/day', '/inbox/week/<b>day'],
        ['/inbox/week', '/inbox/week-48'],
      ]);
      const verify = page.getByRole('button', { name: 'Verify all in this page' });
      if ((await verify.count()) > 0) {
        await verify.click();
        await page.getByText(/^(\d+) of \1 records are verified by this page\.$/u).waitFor();
      }
      expect(takeErrors()).toEqual([]);
    }
  });
}
