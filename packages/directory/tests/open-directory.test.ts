import { attemptedUserName, userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Directory } from '@waybill/directory/directory';
import { openDirectory } from '@waybill/directory/open-directory';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

const named = (name: string) => userNameSchema.parse(name);

const sftp = { cluster: 'cluster1', server: 'sftp-server' };

let platform: TestPlatform;
let directory: Directory;

beforeAll(async () => {
  platform = await openTestPlatform();
  directory = openDirectory({ db: platform.db, cacheMs: 0 });
});

afterAll(async () => {
  await platform.close();
});

afterEach(() => {
  vi.useRealTimers();
});
beforeEach(async () => {
  await platform.apply(demoPlatform());
});

async function userNamed(name: string) {
  const user = await directory.findPartnerUser(named(name));
  if (!user) throw new Error(`no user ${name}`);
  return user;
}

describe('users', () => {
  it('are found with the actor that they belong to', async () => {
    expect(await directory.findPartnerUser(named('acme'))).toMatchObject({
      name: 'acme',
      actorName: 'acme',
      groups: ['clerks'],
    });
    expect(await directory.findManagerUser(named('viewer'))).toMatchObject({ name: 'viewer', roles: ['Users'] });
    expect(await directory.findManagerUser(named('acme'))).toBeUndefined();
  });

  it.each(['', 'ACME', 'nobody', "acme' OR '1'='1", 'acme\0', '\ud800', 'a'.repeat(10_000)])(
    'are not found as %j',
    async (name) => {
      expect(await directory.findPartnerUser(attemptedUserName(name))).toBeUndefined();
      expect(await directory.authenticateManagerUser(attemptedUserName(name), 'demo')).toBeUndefined();
    },
  );

  it('log in with their own password, and only while they are enabled', async () => {
    expect(await directory.authenticatePartnerUser(named('acme'), 'demo', '10.0.0.1')).toMatchObject({ name: 'acme' });
    expect(await directory.authenticatePartnerUser(named('acme-2'), 'demo', '10.0.0.1')).toBeUndefined();
    expect(await directory.authenticateManagerUser(named('admin'), 'demo')).toMatchObject({
      roles: ['Administrators'],
    });
    const next = demoPlatform();
    next.actors[0]!.users[0]!.enabled = false;
    await platform.apply(next);
    expect(await directory.authenticatePartnerUser(named('acme'), 'demo', '10.0.0.1')).toBeUndefined();
  });

  it('without a password do not log in with any', async () => {
    const next = demoPlatform();
    Reflect.deleteProperty(next.actors[0]!.users[0]!, 'password');
    await platform.apply(next);
    for (const password of ['', 'demo', 'null']) {
      expect(await directory.authenticatePartnerUser(named('acme'), password, '10.0.0.1')).toBeUndefined();
    }
  });
});

describe('mounts', () => {
  it('include the rules of their VFS', async () => {
    const mounts = await directory.openMounts(await userNamed('acme'), sftp);
    expect(mounts.mounts).toMatchObject([
      { vfs: { name: 'acme-files', aclEnabled: true }, mountPath: '/', connectionContract: 'acme-sftp' },
    ]);
    expect(mounts.decide(parseVirtualPath('/inbox/a.csv'), 'upload').allowed).toBe(true);
    expect(mounts.decide(parseVirtualPath('/a.csv'), 'upload').allowed).toBe(false);
  });

  it('need a Connection Contract that names the user or a group of the user, for that server', async () => {
    const missing = { code: 'connection_contract_missing' };
    await expect(directory.openMounts(await userNamed('acme-2'), sftp)).rejects.toMatchObject(missing);
    const http = { ...sftp, server: 'http-server' };
    await expect(directory.openMounts(await userNamed('acme'), http)).rejects.toMatchObject(missing);
  });

  it('are not reached by a group of the same name of another actor', async () => {
    await expect(directory.openMounts(await userNamed('globex'), sftp)).rejects.toMatchObject({
      code: 'connection_contract_missing',
    });
  });

  it('go at once with a disabled Connection Contract, a left group, a disabled user and a removed one', async () => {
    const acme = await userNamed('acme');
    const disabled = demoPlatform();
    disabled.actors[0]!.connectionContracts[0]!.enabled = false;
    await platform.apply(disabled);
    await expect(directory.openMounts(acme, sftp)).rejects.toMatchObject({ code: 'connection_contract_missing' });

    const left = demoPlatform();
    left.actors[0]!.users[0]!.groups = [];
    left.actors[0]!.users[1]!.groups = ['clerks'];
    await platform.apply(left);
    await expect(directory.openMounts(acme, sftp)).rejects.toMatchObject({ code: 'connection_contract_missing' });

    const locked = demoPlatform();
    locked.actors[0]!.users[0]!.enabled = false;
    await platform.apply(locked);
    await expect(directory.openMounts(acme, sftp)).rejects.toMatchObject({ code: 'not_authenticated' });
    await expect(directory.openMounts({ id: '0' }, sftp)).rejects.toMatchObject({ code: 'not_authenticated' });
  });

  it('show several VFSs of one user as one tree', async () => {
    const next = demoPlatform();
    next.actors[0]!.virtualFileSystems.push({ name: 'acme-archive' });
    next.actors[0]!.connectionContracts[0]!.clauses.push({ user: 'acme', vfs: 'acme-archive', mountPath: '/old' });
    await platform.apply(next);
    const mounts = await directory.openMounts(await userNamed('acme'), sftp);
    expect(mounts.locate(parseVirtualPath('/old/2024/a.csv'))).toMatchObject({
      vfs: { name: 'acme-archive' },
      path: '/2024/a.csv',
    });
    expect(mounts.mountedNames(parseVirtualPath('/'))).toEqual(['old']);
  });

  it('are never older than a second in a running service', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const running = openDirectory({ db: platform.db });
    const acme = await userNamed('acme');
    await running.openMounts(acme, sftp);
    const next = demoPlatform();
    next.actors[0]!.virtualFileSystems[0]!.acl = [];
    await platform.apply(next);
    vi.advanceTimersByTime(1_000);
    const mounts = await running.openMounts(acme, sftp);
    expect(mounts.decide(parseVirtualPath('/inbox/a.csv'), 'upload').allowed).toBe(false);
  });
});

describe('actions', () => {
  const arrival = async (path: string, trigger: 'NewFile' | 'IncomingTransfer' = 'NewFile') => {
    const vfs = await directory.findVfsByName('acme-files');
    return await directory.findTriggeredActions({ vfsId: vfs?.id ?? '', path, trigger });
  };

  it('start for a file in their folder whose name matches their pattern, with everything that a job needs', async () => {
    const vfs = await directory.findVfsByName('acme-files');
    expect(await arrival('/inbox/may.csv')).toMatchObject([
      {
        contractName: 'invoices',
        contractType: 'Mediation',
        actorName: 'acme',
        actionName: 'arrived',
        trigger: 'NewFile',
        queue: 'Slow',
        variables: { folder: '/outbox' },
        vfsId: vfs?.id,
        workflow: {
          templateId: expect.any(Number),
          name: 'pack',
          revision: expect.any(Number),
          steps: [{ uses: 'gzip' }],
        },
      },
    ]);
  });

  it.each(['/inbox/may.txt', '/inbox/MAY.CSV', '/inbox/sub/may.csv', '/may.csv', '/inbox', '/'])(
    'do not start for %s',
    async (path) => {
      expect(await arrival(path)).toEqual([]);
    },
  );

  it('do not start for something else that happens, in another VFS, or while their contract is disabled', async () => {
    expect(await arrival('/inbox/may.csv', 'IncomingTransfer')).toEqual([]);
    const other = await directory.findVfsByName('globex-files');
    const occurrence = { vfsId: other?.id ?? '', path: '/inbox/may.csv', trigger: 'NewFile' } as const;
    expect(await directory.findTriggeredActions(occurrence)).toEqual([]);
    const next = demoPlatform();
    next.actors[0]!.contracts[0]!.enabled = false;
    await platform.apply(next);
    expect(await arrival('/inbox/may.csv')).toEqual([]);
    await expect(directory.findAction('invoices', 'by-hand')).rejects.toMatchObject({ code: 'contract_unknown' });
  });

  it('are found by name, and what does not exist is named in the refusal', async () => {
    expect(await directory.findAction('invoices', 'by-hand')).toMatchObject({
      trigger: 'OnDemand',
      actionName: 'by-hand',
    });
    await expect(directory.findAction('none', 'by-hand')).rejects.toMatchObject({
      code: 'contract_unknown',
      message: 'There is no enabled contract named none',
    });
    await expect(directory.findAction('invoices', 'none')).rejects.toMatchObject({
      code: 'action_unknown',
      message: 'Contract invoices has no action named none',
    });
    await expect(directory.findAction('a\0b', 'none')).rejects.toMatchObject({ code: 'contract_unknown' });
  });

  it('use the newest revision, while the older ones are kept', async () => {
    const { workflow: before } = await directory.findAction('invoices', 'by-hand');
    const next = demoPlatform();
    next.workflowTemplates[0]!.steps[0]!.with.source = `changed ${before.revision}`;
    await platform.apply(next);
    const { workflow: after } = await directory.findAction('invoices', 'by-hand');
    expect(after).toMatchObject({ templateId: before.templateId, revision: before.revision + 1 });
    expect(await directory.findWorkflowRevision(before.templateId, before.revision)).toEqual(before);
    expect(await directory.findWorkflowRevision(before.templateId, 999)).toBeUndefined();
    expect((await directory.findNewestRevision(before.templateId))?.revision).toBeGreaterThan(before.revision);
    expect(await directory.findNewestRevision(999_999)).toBeUndefined();
  });
});

describe('the rest of the platform', () => {
  it('is found by name and by id', async () => {
    expect(await directory.findCluster('cluster1')).toMatchObject({
      servers: [
        { name: 'sftp-server', protocol: 'SFTP' },
        { name: 'http-server', protocol: 'HTTP' },
      ],
    });
    expect(await directory.findCluster('none')).toBeUndefined();
    expect((await directory.listQueues()).map(({ name }) => name)).toEqual(['Default Queue', 'Slow']);
    expect(await directory.findQueue('Slow')).toMatchObject({ status: 'Enabled', priority: 1, parallelism: 1 });
    const vfs = await directory.findVfsByName('globex-files');
    expect(await directory.findVfs(vfs?.id ?? '')).toEqual({ id: vfs?.id, name: 'globex-files', aclEnabled: false });
    for (const id of ['', 'x', '-1', '9'.repeat(30)]) expect(await directory.findVfs(id)).toBeUndefined();
  });
});
