import { expect, it } from 'vitest';
import type { ConfigurationInForce } from './configuration/apply-configuration.ts';
import { configSchema } from './configuration/config.ts';
import { welcome } from './welcome.ts';

const welcomeTo = (env: Record<string, string>, inForce: Partial<ConfigurationInForce> = {}) =>
  welcome(configSchema.parse(env), {
    root: '/repo',
    seconds: '62.1',
    env,
    inForce: { remembered: undefined, keepers: new Set(), ...inForce },
  });

it('reports how long the start took, and a tour command that finds the platform on any ports', () => {
  expect(welcomeTo({})).toMatch(/is up \(62\.1 s\)[\s\S]*\n {2}npm run tour\n/u);
  expect(welcomeTo({ WAYBILL_SFTP_PORT: '9022' })).toContain(
    'npm run tour -- --http http://127.0.0.1:8080 --sftp 127.0.0.1:9022\n',
  );
});

it('shows how to use the command line of this folder', () => {
  expect(welcomeTo({ WAYBILL_EDGE_PORT: '9080' })).toContain(
    '\n  npm run -s waybill -- login --url http://127.0.0.1:9080 --user admin\n',
  );
});

it('names the variable instead of a password that was given, and never the password', () => {
  const text = welcomeTo({ ADMIN_PASSWORD: 'hunter2', GLOBEX_PASSWORD: '' });
  expect(text).toContain('admin / (ADMIN_PASSWORD)');
  expect(text).toContain('acme / acme-demo, globex / globex-demo');
  expect(text).not.toContain('hunter2');
});

it('names the file instead of a password that is in one', () => {
  const text = welcomeTo({ ADMIN_PASSWORD_FILE: '/run/secrets/admin', ACME_PASSWORD_FILE: '/run/secrets/acme' });
  expect(text).toContain('admin / (ADMIN_PASSWORD_FILE)');
  expect(text).toContain('-d "password=$(cat "$ACME_PASSWORD_FILE")"');
  expect(text).not.toContain('acme-demo,');
});

it('names the file in which a password of an earlier start is kept', () => {
  const variables = { ACME_PASSWORD: '/w/keys/configuration/ACME_PASSWORD' };
  const text = welcomeTo({}, { remembered: { file: '/repo/deploy/demo/platform.yaml', variables } });
  expect(text).toContain('acme / (in /w/keys/configuration/ACME_PASSWORD), globex / globex-demo');
  expect(text).toContain(`-d "password=$(cat '/w/keys/configuration/ACME_PASSWORD')"`);
});

it('shows no password that is not in force', () => {
  const text = welcomeTo({}, { keepers: new Set(['admin', 'acme']) });
  expect(text).toContain('admin / (the one that was set before)');
  expect(text).not.toMatch(/admin-demo|acme-demo/u);
});

it('names the configuration instead of the users of the demo if another one is in force', () => {
  const text = welcomeTo({}, { remembered: { file: '/etc/platform.yaml', variables: {} } });
  expect(text).toContain('configuration   /etc/platform.yaml');
  expect(text).not.toMatch(/admin|acme/u);
});

it('names a file that was rejected as not applied, and shows no password, for which ones are in force is not known', () => {
  const [demo, own] = ['/repo/deploy/demo/platform.yaml', '/etc/platform.yaml'];
  const note = '(NOT applied: see above)';
  for (const [remembered, rejected, lines] of [
    [undefined, demo, `  configuration   ${demo} ${note}\n`],
    [demo, demo, `  configuration   ${demo} ${note}\n`],
    [own, own, `  configuration   ${own} ${note}\n`],
    [demo, own, `  configuration   ${demo}\n                  ${own} ${note}\n`],
  ] as const) {
    const inForce = {
      remembered: remembered === undefined ? undefined : { file: remembered, variables: {} },
      rejected,
    };
    const text = welcomeTo({ ADMIN_PASSWORD: 'hunter2' }, inForce);
    expect(text).toContain(lines);
    expect(text).not.toMatch(/admin-demo|acme-demo|ADMIN_PASSWORD|hunter2/u);
  }
});
