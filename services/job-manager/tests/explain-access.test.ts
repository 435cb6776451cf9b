import { userNameSchema } from '@waybill/contracts/values/user-name';
import { createLoginThrottle } from '@waybill/login-throttle/create-login-throttle';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import { beforeAll, describe, expect, it } from 'vitest';
import { questionsTo } from './explain-questions.ts';
import { acme, configuration, toServers } from './explained-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const { question, ask, explain, refusals } = questionsTo(site);

beforeAll(async () => {
  await site.platform.apply(configuration);
});

describe('an explanation of access', () => {
  it('names every rule from the user to the permission', async () => {
    expect(await explain({ address: '10.0.0.5' })).toEqual({
      ...question,
      address: '10.0.0.5',
      cluster: 'cluster1',
      server: 'sftp-server',
      allowed: true,
      rules: [
        { rule: 'user', name: 'acme', allows: true, why: 'User acme of actor acme is enabled' },
        {
          rule: 'authentication',
          name: 'either',
          allows: true,
          why: 'User acme logs in with a key or a password (authentication: either)',
        },
        {
          rule: 'server',
          name: 'cluster1/sftp-server',
          allows: true,
          why: 'The server cluster1/sftp-server speaks SFTP',
        },
        { rule: 'address', name: '10.0.0.5', allows: true, why: '10.0.0.5 is not banned' },
        {
          rule: 'connection-contract',
          name: 'acme-sftp-server',
          allows: true,
          why: 'Connection Contract acme-sftp-server is enabled, and for this server',
        },
        {
          rule: 'clause',
          name: 'clauses[0]',
          allows: true,
          why: 'clauses[0] of acme-sftp-server connects user acme to acme-files',
        },
        { rule: 'mount', name: '/', allows: true, why: "'/outbox/x' is '/outbox/x' of what is mounted on '/'" },
        { rule: 'virtual-file-system', name: 'acme-files', allows: true, why: 'ACLs are enabled on acme-files' },
        {
          rule: 'permission',
          name: '/outbox',
          allows: true,
          why: 'The rule on /outbox of acme-files grants download to group clerks',
        },
      ],
    });
  });

  it.each([
    ['an unknown user', { user: 'umbrella' }, 'user: There is no user umbrella of an actor'],
    [
      'a manager user',
      { user: 'viewer' },
      'user: viewer is a manager user: manager users log in to the management interfaces only',
    ],
    ['a disabled user', { user: 'off' }, 'user: User off of actor acme is disabled'],
    [
      'a user without the key that is needed',
      { user: 'keyless' },
      'authentication: User keyless logs in with a key (authentication: key), and the user has no password or no key that is valid',
    ],
    [
      'a key over HTTP',
      { user: 'keyless', protocol: 'HTTP' },
      'authentication: User keyless logs in with a key (authentication: key), and logins over HTTP take a password alone, which the user must have',
    ],
    [
      'an operation that is not granted',
      { operation: 'upload' },
      'permission: The rule on /outbox of acme-files does not grant upload to user acme',
    ],
    [
      'a deletion of a mount',
      { operation: 'delete', path: '/full' },
      "mount: '/full' belongs to the configuration: something is mounted there or below",
    ],
    [
      'a download of a mount',
      { path: '/full/of' },
      "mount: '/full/of' belongs to the configuration: something is mounted there or below",
    ],
    [
      'a file beyond the limit',
      { operation: 'upload', path: '/full/of/a' },
      'limit: The virtual file system may hold 0 files at most',
    ],
    [
      'a folder beyond the limit',
      { operation: 'createFolder', path: '/full/of/a' },
      'limit: The virtual file system may hold 0 folders at most',
    ],
    [
      'a folder that is too deep',
      { operation: 'createFolder', path: '/full/flat/a/b' },
      'limit: Folders may be nested 1 deep at most',
    ],
    [
      'content beyond the limit',
      { operation: 'upload', path: '/full/flat/a' },
      'limit: The virtual file system may hold 0 bytes at most',
    ],
  ])('says what refuses %s', async (_what, different, refusal) => {
    expect(await refusals(different)).toEqual([refusal]);
  });

  it('says of each Connection Contract why it does not connect the user', async () => {
    expect(await refusals({ user: 'lonely' })).toEqual([
      'connection-contract: Connection Contract acme-http-server is for the server cluster1/http-server',
      'connection-contract: Connection Contract acme-sftp-server has no clause for user lonely',
      'connection-contract: Connection Contract night is disabled',
    ]);
    expect(await refusals({ protocol: 'HTTP', server: 'second-server' })).toContain(
      'connection-contract: Connection Contract acme-http-server is for the server cluster1/http-server',
    );
  });

  it('says what is mounted if nothing is mounted on the path', async () => {
    await site.platform.apply({
      ...configuration,
      actors: [
        { ...acme, connectionContracts: toServers(['sftp-server'], [{ user: 'acme', vfs: 'full', mountPath: '/a' }]) },
      ],
    });
    expect(await refusals({ path: '/b' })).toEqual(["mount: Nothing is mounted on '/b', but on '/a'"]);
    expect(await refusals({ operation: 'list', path: '/' })).toEqual([]);
    await site.platform.apply(configuration);
  });

  it('says who has frozen a user, and follows a change at once', async () => {
    await site.platform.database.query(
      "INSERT INTO directory.frozen_users (user_name, frozen_by) VALUES ('acme', 'admin')",
    );
    expect(await refusals({})).toEqual([expect.stringMatching(/^user: User acme was frozen by admin at 2/u)]);
    await site.platform.database.query('DELETE FROM directory.frozen_users');
    expect(await refusals({})).toEqual([]);
  });

  it('knows the bans of a protocol: of an address, and of a user at one', async () => {
    const redis = connectRedis({ url: site.platform.redis.url, name: 'test', logger: site.platform.logger });
    try {
      const limits = { perUser: 1, perAddress: 2, windowSeconds: 60 };
      const throttle = createLoginThrottle({ redis, scope: 'sftp', limits, countNetwork: createNetworkCounter(64) });
      const fail = (name: string) => {
        const attempt = { userName: userNameSchema.parse(name), clientAddress: '2001:db8::1' };
        return throttle.settle(attempt, 'failed');
      };
      await fail('acme');
      const address = '2001:db8::7';
      expect(await refusals({ address })).toEqual([
        expect.stringMatching(/^address: Failed logins: 2001:db8::\/64 is banned for user acme until 2/u),
      ]);
      expect(await refusals({ address, protocol: 'HTTP', path: '/outbox/y' })).toEqual([]);
      await fail('lonely');
      expect(await refusals({ address })).toEqual([expect.stringContaining('is banned for everybody until')]);
      expect(await refusals({ address: '2001:db9::7' })).toEqual([]);
      expect(await refusals({})).toEqual([]);
    } finally {
      redis.disconnect();
    }
  });

  it('asks for the server if the user reaches several over the protocol', async () => {
    const second = { ...toServers(['second-server'], [{ user: 'acme', vfs: 'acme-files' }])[0], name: 'second' };
    await site.platform.apply({
      ...configuration,
      actors: [{ ...acme, connectionContracts: [...acme.connectionContracts, second] }],
    });
    const answer = await ask({ ...question, protocol: 'HTTP' });
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ field: 'server' })] }),
    ]);
    expect(await refusals({ protocol: 'HTTP', server: 'second-server' })).toEqual([]);
    await site.platform.apply(configuration);
  });

  it('is for administrators, and refuses questions that make no sense', async () => {
    const { status } = await site.manager.client.post('/platform-application/api/v1/access/explain', {
      json: question,
    });
    expect(status).toBe(401);
    expect((await ask(question, site.manager.viewer)).status).toBe(403);
    const wrong = [
      [],
      {},
      { ...question, user: '' },
      { ...question, user: 'a\0b' },
      { ...question, user: 'x'.repeat(100_000) },
      { ...question, protocol: 'FTP' },
      { ...question, operation: 'everything' },
      { ...question, path: '' },
      { ...question, path: 'outbox' },
      { ...question, path: '/../outbox' },
      { ...question, path: `/${'x'.repeat(300)}` },
      { ...question, path: '/a'.repeat(3_000) },
      { ...question, path: ['/outbox'] },
      { ...question, address: '10.0.0.5.6' },
      { ...question, address: '' },
      { ...question, more: true },
      { ...question, cluster: 'elsewhere' },
      { ...question, server: 'http-server' },
    ];
    for (const body of wrong) {
      const answer = await ask(body);
      expect([JSON.stringify(body).slice(0, 80), answer.status]).toEqual([expect.any(String), 400]);
    }
  });
});
