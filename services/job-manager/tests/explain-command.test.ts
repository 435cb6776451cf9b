import { expect, it } from 'vitest';
import { configuration } from './explained-configuration.ts';
import { oneJobManager } from './test-managers.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const site = oneJobManager();

it('waybill explain prints the rules, and its exit code is the answer', async () => {
  await site.platform.apply(configuration);
  await using access = await platformAccess(site.manager);
  const platform = access.options;
  const explain = (...args: readonly string[]) => runWaybill('explain', 'acme', ...args, ...platform);
  const overSftp = ['--protocol', 'sftp', '--address', '10.0.0.5'];

  const allowed = await explain('download', '/outbox/x', ...overSftp);
  expect(allowed.out.split('\n')).toEqual([
    'acme may download /outbox/x over SFTP (cluster1/sftp-server):',
    '  yes  user                 acme                  User acme of actor acme is enabled',
    '  yes  authentication       either                User acme logs in with a key or a password (authentication: either)',
    '  yes  server               cluster1/sftp-server  The server cluster1/sftp-server speaks SFTP',
    '  yes  address              10.0.0.5              10.0.0.5 is not banned',
    '  yes  connection-contract  acme-sftp-server      Connection Contract acme-sftp-server is enabled, and for this server',
    '  yes  clause               clauses[0]            clauses[0] of acme-sftp-server connects user acme to acme-files',
    "  yes  mount                /                     '/outbox/x' is '/outbox/x' of what is mounted on '/'",
    '  yes  virtual-file-system  acme-files            ACLs are enabled on acme-files',
    '  yes  permission           /outbox               The rule on /outbox of acme-files grants download to group clerks',
    '',
  ]);
  expect(allowed.code).toBe(0);

  const denied = await explain('upload', '/outbox/x', ...overSftp);
  expect(denied).toEqual({ code: 3, out: expect.stringContaining('does not grant upload to user acme') });
  const json = await explain('upload', '/outbox/x', '--protocol', 'http', '--server', 'http-server', '--json');
  const [line = '', refusal] = json.out.split('\n');
  expect([json.code, refusal]).toEqual([
    3,
    'waybill explain: acme may not upload /outbox/x over HTTP (cluster1/http-server)',
  ]);
  expect(JSON.parse(line)).toMatchObject({
    allowed: false,
    server: 'http-server',
    rules: expect.any(Array) as unknown,
  });

  const [fly, withoutProtocol, elsewhere, withoutPath, withoutPlatform] = await Promise.all([
    explain('fly', '/outbox/x', ...overSftp),
    explain('upload', '/outbox/x'),
    explain('upload', '/outbox/x', ...overSftp, '--cluster', 'no'),
    runWaybill('explain', 'acme', 'upload', ...platform),
    runWaybill('explain', 'acme', 'upload', '/x', '--protocol', 'sftp'),
  ]);
  expect(fly).toEqual({ code: 2, out: expect.stringContaining('operation') });
  expect(withoutProtocol).toEqual({ code: 2, out: expect.stringContaining('--protocol') });
  expect([elsewhere.code, withoutPath.code, withoutPlatform.code]).toEqual([1, 2, 2]);
});
