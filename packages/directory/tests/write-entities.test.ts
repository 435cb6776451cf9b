import { rehearseWrites, writeEntities } from '@waybill/directory/administration/write-entity';
import type { EntityWrite, EntityWriter } from '@waybill/directory/administration/write-in-transaction';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { administratorOf, openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;
let writer: EntityWriter;

beforeEach(async () => {
  platform = await openTestPlatform();
  writer = administratorOf(platform);
  await platform.apply(demoPlatform());
});

afterEach(async () => {
  await platform.close();
});

const create = (entityType: EntityWrite['target']['entityType'], name: string, settings: object): EntityWrite => {
  const { actor, ...own } = settings as { actor?: string };
  return { target: { entityType, name, actor }, settings: () => own, ifAbsent: true };
};

/** What both making changes and rehearsing them end with. */
async function outcomeOf(writes: readonly EntityWrite[]): Promise<unknown> {
  const failureOf = (error: unknown): unknown => error;
  const rehearsed = await rehearseWrites(writer, writes).then(() => 'done', failureOf);
  const written = await writeEntities(writer, writes).then(() => 'done', failureOf);
  expect(rehearsed).toEqual(written);
  return written;
}

describe('passwords in several changes at once', () => {
  const user = (password: string) => create('External User', 'tom', { actor: 'umbrella', password });
  const refused = {
    code: 'validation_failed',
    fields: [{ field: 'password', message: 'needs 20 characters or more' }],
  };

  it('follow the policy that a change before them gives to their actor', async () => {
    await writeEntities(writer, [create('Account Policy', 'strict', { passwords: { minimumLength: 20 } })]);
    const actor = create('Actor', 'umbrella', { type: 'Partner', accountPolicy: 'strict' });
    expect(await outcomeOf([actor, user('correct horse')])).toMatchObject(refused);
    expect(await platform.query("SELECT 1 FROM directory.actors WHERE name = 'umbrella'")).toEqual([]);
    expect(await outcomeOf([actor, user('correct horse battery staple')])).toBe('done');
  });

  it('follow a policy that a change before them creates or replaces', async () => {
    const strict = create('Account Policy', 'strict', { passwords: { minimumLength: 20 } });
    const actor = create('Actor', 'umbrella', { type: 'Partner', accountPolicy: 'strict' });
    expect(await outcomeOf([strict, actor, user('correct horse')])).toMatchObject(refused);
    const standard = create('Account Policy', 'default', { passwords: { minimumLength: 20 } });
    const manager = create('Internal User', 'tina', { roles: ['Auditors'], password: 'correct horse' });
    expect(await outcomeOf([standard, manager])).toMatchObject(refused);
  });
});

describe('several changes at once', () => {
  const erase = (entityType: EntityWrite['target']['entityType'], name: string, actor?: string): EntityWrite => ({
    target: { entityType, name, actor },
  });
  const change = (entityType: EntityWrite['target']['entityType'], name: string, settings: object): EntityWrite => ({
    target: { entityType, name },
    settings: (stored) => {
      const { actor: _actor, ...former } = stored?.definition ?? {};
      return { ...former, ...settings };
    },
    ifPresent: true,
  });
  const server = { cluster: 'cluster1', server: 'sftp-server' };
  const clauses = [{ group: 'clerks', vfs: 'acme-files' }];

  beforeEach(async () => {
    for (const table of ['connection_contracts', 'manager_users'])
      await platform.query(`UPDATE directory.${table} SET source = NULL`);
  });

  it('have to keep access tests when they are all made, not in between', async () => {
    const test = create('Access Test', 'rules', { expect: 'bob may upload /inbox/x over SFTP' });
    const grouped = create('External User', 'bob', { actor: 'acme', groups: ['clerks'] });
    const bobs = create('Access Test', 'bobs', { expect: 'bob may list /inbox' });
    await writeEntities(writer, [grouped, test, bobs]);
    const second = create('Connection Contract', 'second', { actor: 'acme', ...server, clauses });
    const first = erase('Connection Contract', 'acme-sftp', 'acme');
    expect(await outcomeOf([first])).toMatchObject({ code: 'entity_in_use' });
    expect(await outcomeOf([first, second])).toBe('done');
    const wrong = create('Access Test', 'more', { expect: ['bob may list /inbox', 'bob may rename /inbox/x'] });
    expect(await outcomeOf([create('Actor', 'umbrella', { type: 'Partner' }), wrong])).toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'expect[1]', message: expect.stringContaining('bob may rename') }],
    });
    expect(await platform.query("SELECT 1 FROM directory.actors WHERE name = 'umbrella'")).toEqual([]);
  });

  it('have to leave an administrator when they are all made, not in between', async () => {
    const root = create('Internal User', 'root', { roles: ['Administrators'] });
    expect(await outcomeOf([erase('Internal User', 'admin')])).toMatchObject({
      code: 'entity_in_use',
      message: expect.stringContaining('no enabled user has the role Administrators'),
    });
    expect(await outcomeOf([erase('Internal User', 'admin'), root])).toBe('done');
  });

  it('can delete an object and create another one of its name', async () => {
    await writeEntities(writer, [create('External User', 'bob', { actor: 'acme', groups: ['clerks'] })]);
    const other = create('External User', 'bob', { actor: 'globex', password: 'a long password' });
    expect(await outcomeOf([erase('External User', 'bob'), other])).toBe('done');
    expect(await outcomeOf([other, erase('External User', 'bob')])).toMatchObject({ code: 'entity_exists' });
    expect(await outcomeOf([erase('External User', 'bob'), erase('External User', 'bob')])).toMatchObject({
      code: 'entity_unknown',
    });
    const [bob] = await platform.query("SELECT definition FROM directory.partner_users WHERE name = 'bob'");
    expect(bob).toMatchObject({ definition: { actor: 'globex', groups: [] } });
  });

  it('can change what those before them create, which keeps its actor', async () => {
    const bob = create('External User', 'bob', { actor: 'acme', groups: ['clerks'] });
    expect(await outcomeOf([change('External User', 'bob', { maxSessions: 2 }), bob])).toMatchObject({
      code: 'entity_unknown',
    });
    expect(await outcomeOf([bob, change('External User', 'bob', { maxSessions: 2 })])).toBe('done');
    const [stored] = await platform.query("SELECT definition FROM directory.partner_users WHERE name = 'bob'");
    expect(stored).toMatchObject({ definition: { actor: 'acme', groups: ['clerks'], maxSessions: 2 } });
  });
});
