import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';

let rig: GatewayRig;
let gateway: RunningGateway;
let local: Awaited<ReturnType<typeof createTestFolder>>;

beforeAll(async () => {
  local = await createTestFolder();
  await writeFile(join(local.path, 'a'), 'content');
  rig = await createGatewayRig();
  gateway = await rig.start('peer1', { SFTP_TEMPORARY_NAMES: '*.filepart, .in.*' });
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
  await local?.remove();
});

const sftp = (...commands: string[]) =>
  runSftp({ port: gateway.sftpPort, user: 'globex', password: 'globex-demo', commands });

/** The paths announced as stored, oldest first. */
const announced = async (name: string): Promise<unknown[]> => {
  const rows = await rig.database.query(
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
