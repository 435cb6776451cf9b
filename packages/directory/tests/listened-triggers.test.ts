import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
});

afterEach(async () => {
  await platform.close();
});

const listened = async (): Promise<unknown[]> =>
  (await platform.query(`SELECT subject FROM outbox.listened ORDER BY subject`)).map(({ subject }) => subject);

const idOf = async (name: string): Promise<string> =>
  String((await platform.query(`SELECT id FROM directory.virtual_file_systems WHERE name = '${name}'`))[0]?.['id']);

describe('the file events that are created', () => {
  it('are all of them until a configuration is applied', async () => {
    expect(await listened()).toEqual(['*']);
  });

  it('are those that enabled contracts wait for, by kind, VFS and folder', async () => {
    const configuration = demoPlatform();
    const contract = configuration.actors[0]?.contracts[0];
    if (!contract) throw new Error('the demo has no contract');
    const trigger = { type: 'OutgoingTransfer', vfs: 'acme-files', virtualPath: '/sent', filePattern: '*' };
    contract.actions.push({ name: 'taken', trigger, workflow: 'pack', variables: { folder: '/' } });
    await platform.apply(configuration);
    const id = await idOf('acme-files');
    expect(await listened()).toEqual([`["downloaded","${id}","/sent"]`, `["stored","${id}","/inbox"]`]);
    contract.enabled = false;
    await platform.apply(configuration);
    expect(await listened()).toEqual([]);
    contract.enabled = true;
    contract.actions.pop();
    await platform.apply(configuration);
    expect(await listened()).toEqual([`["stored","${id}","/inbox"]`]);
  });

  it('stay as they are when a configuration cannot be applied', async () => {
    await platform.apply(demoPlatform());
    const before = await listened();
    platform.holding.add('acme-files');
    const without = demoPlatform();
    without.actors.shift();
    await expect(platform.apply(without)).rejects.toThrow('it holds 1 file');
    expect(await listened()).toEqual(before);
  });

  it('are all of them while a configuration is applied, which waits for transactions that may not see it', async () => {
    await platform.apply(demoPlatform());
    const deciding = await platform.db.transaction();
    await deciding.raw(`INSERT INTO outbox.events (id, topic, payload) VALUES (gen_random_uuid(), 'file-event', '{}')`);
    let isApplied = false;
    const applied = platform.apply(demoPlatform()).then(() => (isApplied = true));
    await waitFor(async () => (await listened()).includes('*'), { what: 'the listener to everything' });
    expect(isApplied).toBe(false);
    await deciding.commit();
    await applied;
    expect(await listened()).not.toContain('*');
  });
});
