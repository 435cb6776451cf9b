import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway({ env: { TEMPORARY_NAMES: '*.filepart, .in.*' } });
let local: Awaited<ReturnType<typeof createTestFolder>>;

beforeAll(async () => {
  local = await createTestFolder();
  await writeFile(join(local.path, 'a'), 'content');
});
afterAll(() => local?.remove());

const sftp = (...commands: string[]) =>
  runSftp({ port: peer.gateway.sftpPort, user: 'globex', password: 'globex-demo', commands });

/** The paths announced as stored, oldest first. */
const announced = async (name: string): Promise<unknown[]> => {
  const rows = await peer.rig.database.query(
    `select payload->>'path' as path from outbox.events
     where topic = 'file-event' and payload->>'kind' = 'stored' and payload->>'path' like $1 order by created_at, id`,
    [`/data/%${name}%`],
  );
  return rows.map(({ path }) => path);
};

it.each([
  ['WinSCP', 'one.csv.filepart', 'one.csv'],
  ['lftp', '.in.two.csv', 'two.csv'],
])(
  'a contract is notified of the file of a client like %s once, under its final name',
  async (_client, temporary, final) => {
    const source = join(local.path, 'a');
    expect(await sftp(`put ${source} /data/${temporary}`)).toMatchObject({ exitCode: 0 });
    expect(await announced(final)).toEqual([]);
    expect(await sftp(`rename /data/${temporary} /data/${final}`)).toMatchObject({ exitCode: 0 });
    expect(await announced(final)).toEqual([`/data/${final}`]);
  },
);

it('a name that matches no pattern is announced at once, and not again when it is renamed', async () => {
  expect(await sftp(`put ${join(local.path, 'a')} /data/three.part`)).toMatchObject({ exitCode: 0 });
  expect(await sftp('rename /data/three.part /data/three.csv')).toMatchObject({ exitCode: 0 });
  expect(await announced('three')).toEqual(['/data/three.part']);
});
