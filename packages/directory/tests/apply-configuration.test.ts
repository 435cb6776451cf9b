import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { linesOf } from './lines-of.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
});

afterEach(async () => {
  await platform.close();
});

describe('applying a configuration', () => {
  it('creates all of it, and says so in the audit record', async () => {
    const changes = await platform.apply(demoPlatform());
    expect(linesOf(changes)).toEqual([
      'created Cluster cluster1',
      'created Job Queue Slow',
      'created Job Queue Default Queue',
      'created Workflow Template pack',
      'created Internal User admin',
      'created Internal User viewer',
      'created Actor acme',
      'created Actor globex',
      'created External User acme',
      'created External User acme-2',
      'created External User globex',
      'created VFS acme-files',
      'created VFS globex-files',
      'created Connection Contract acme-sftp',
      'created Contract invoices',
    ]);
    const events = await platform.takeAuditEvents();
    expect(events).toHaveLength(changes.length);
    expect(events.find(({ entityType }) => entityType === 'Contract')).toMatchObject({
      clusterId: 'MANAGER',
      nodeId: 'node1',
      module: 'manager1 AUDIT',
      auditCode: 'AUD0001A',
      auditOperation: 'CREATE',
      dataoneUser: 'operator',
      entityType: 'Contract',
      entityName: 'invoices',
      entityId: changes.at(-1)?.entityId,
      auditMessage: `User operator has created the Contract called invoices with id ${changes.at(-1)?.entityId}`,
    });
  });

  it('does nothing at all the second time', async () => {
    await platform.apply(demoPlatform());
    await platform.takeAuditEvents();
    const before = await platform.snapshot();
    expect(await platform.apply(demoPlatform())).toEqual([]);
    expect(await platform.takeAuditEvents()).toEqual([]);
    expect(await platform.snapshot()).toEqual(before);
  });

  it('does it once when many apply at the same time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => platform.apply(demoPlatform())));
    expect(outcomes.filter((changes) => linesOf(changes).includes('created Actor acme'))).toHaveLength(1);
    expect(await platform.query('SELECT count(*)::int AS n FROM directory.actors')).toEqual([{ n: 2 }]);
  });

  it('modifies what is different and leaves ids as they are', async () => {
    await platform.apply(demoPlatform());
    const before = await platform.query('SELECT id FROM directory.contracts');
    const next = demoPlatform();
    next.actors[0]!.contracts[0]!.enabled = false;
    next.actors[0]!.contracts[0]!.queue = 'Default Queue';
    next.clusters[0]!.servers.push({ name: 'sftp-2', protocol: 'SFTP' });
    expect(linesOf(await platform.apply(next))).toEqual([
      'modified Cluster cluster1 (servers)',
      'modified Contract invoices (queue, enabled)',
    ]);
    expect(await platform.query('SELECT id FROM directory.contracts')).toEqual(before);
  });

  it('removes what the configuration does not name any more, with all that belonged to it', async () => {
    await platform.apply(demoPlatform());
    await platform.takeAuditEvents();
    const next = demoPlatform();
    next.actors.shift();
    next.queues = [];
    next.workflowTemplates = [];
    const changes = await platform.apply(next);
    expect(linesOf(changes)).toEqual([
      'deleted Job Queue Slow',
      'deleted Workflow Template pack',
      'deleted Actor acme',
      'deleted External User acme',
      'deleted External User acme-2',
      'deleted VFS acme-files',
      'deleted Connection Contract acme-sftp',
      'deleted Contract invoices',
    ]);
    expect((await platform.takeAuditEvents()).map(({ auditCode }) => auditCode)).toEqual(changes.map(() => 'AUD0005A'));
    expect(await platform.query('SELECT name FROM directory.partner_users')).toEqual([{ name: 'globex' }]);
    expect(await platform.apply(next)).toEqual([]);
  });

  it('never lets a VFS vanish that holds files: nothing of the configuration is applied then', async () => {
    await platform.apply(demoPlatform());
    platform.holding.add('acme-files');
    const before = await platform.snapshot();
    const next = demoPlatform();
    next.actors.shift();
    await expect(platform.apply(next)).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining('VFS acme-files cannot be removed: it holds 1 file. '),
    });
    await expect(platform.plan(next)).rejects.toMatchObject({ code: 'configuration_invalid' });
    expect(await platform.snapshot()).toEqual(before);
  });

  it('does not give the files of one actor to another that reuses the name of the VFS', async () => {
    await platform.apply(demoPlatform());
    const moved = demoPlatform();
    moved.actors[1]!.virtualFileSystems.push(...moved.actors[0]!.virtualFileSystems.splice(0, 1, { name: 'other' }));
    moved.actors[1]!.virtualFileSystems[1]!.acl = [];
    Object.assign(moved.actors[0]!, { connectionContracts: [], contracts: [] });
    platform.holding.add('acme-files');
    await expect(platform.apply(moved)).rejects.toMatchObject({ code: 'configuration_invalid' });
    platform.holding.clear();
    const idOf = async () => {
      const rows = await platform.query(
        "SELECT id FROM directory.virtual_file_systems WHERE name = 'acme-files' AND retired_at IS NULL",
      );
      return rows.map(({ id }) => id);
    };
    const before = await idOf();
    await platform.apply(moved);
    const between = await idOf();
    expect(between).not.toEqual(before);
    await platform.apply(demoPlatform());
    expect(await idOf()).toEqual(before);
  });

  it('creates a new revision of a changed workflow, keeps the old one forever, and continues the numbers after a removal', async () => {
    const revisions = () =>
      platform.query(
        "SELECT revision, steps->0->'with'->>'source' AS source FROM directory.workflow_revisions ORDER BY 1",
      );
    const withSource = (source: string) => {
      const next = demoPlatform();
      next.workflowTemplates[0]!.steps[0]!.with.source = source;
      return next;
    };
    await platform.apply(withSource('a'));
    await platform.apply(withSource('b'));
    await platform.apply(withSource('b'));
    const removed = demoPlatform();
    Object.assign(removed, { workflowTemplates: [], actors: [] });
    await platform.apply(removed);
    await platform.apply(withSource('b'));
    await platform.apply(withSource('c'));
    expect(await revisions()).toEqual([
      { revision: 1, source: 'a' },
      { revision: 2, source: 'b' },
      { revision: 3, source: 'c' },
    ]);
    await expect(platform.query("UPDATE directory.workflow_revisions SET steps = '[]'")).rejects.toThrow(
      'never changes',
    );
    await expect(platform.query('DELETE FROM directory.workflow_revisions')).rejects.toThrow('never changes');
  });
});

describe('planning a configuration', () => {
  it('says what applying would do, and changes nothing', async () => {
    await platform.apply(demoPlatform());
    await platform.takeAuditEvents();
    const next = demoPlatform();
    next.actors[0]!.users[0]!.enabled = false;
    next.actors.pop();
    const before = await platform.snapshot();
    const planned = await platform.plan(next);
    expect(await platform.snapshot()).toEqual(before);
    expect(await platform.takeAuditEvents()).toEqual([]);
    expect(linesOf(planned)).toContain('modified External User acme (enabled)');
    expect(await platform.apply(next)).toEqual(planned);
  });
});
