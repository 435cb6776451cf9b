import { expect, it } from 'vitest';
import { configSchema } from './config.ts';
import { welcome } from './welcome.ts';

const welcomeTo = (env: Record<string, string>) => welcome(configSchema.parse(env), { seconds: '62.1', env });

it('tells how long the start took, and a tour that finds the platform wherever its ports are', () => {
  expect(welcomeTo({})).toMatch(/is up \(62\.1 s\)[\s\S]*\n {2}npm run tour\n/u);
  expect(welcomeTo({ WAYBILL_SFTP_PORT: '9022' })).toContain(
    'npm run tour -- --http http://127.0.0.1:8080 --sftp 127.0.0.1:9022\n',
  );
});

it('names the variable in place of a password that was given, and never the password', () => {
  const text = welcomeTo({ ADMIN_PASSWORD: 'hunter2', GLOBEX_PASSWORD: '' });
  expect(text).toContain('admin / (ADMIN_PASSWORD)');
  expect(text).toContain('acme / acme-demo, globex / globex-demo');
  expect(text).not.toContain('hunter2');
});

it('names the file in place of a password that is in one', () => {
  const text = welcomeTo({ ADMIN_PASSWORD_FILE: '/run/secrets/admin', ACME_PASSWORD_FILE: '/run/secrets/acme' });
  expect(text).toContain('admin / (ADMIN_PASSWORD_FILE)');
  expect(text).toContain('-d "password=$(cat "$ACME_PASSWORD_FILE")"');
  expect(text).not.toContain('acme-demo,');
});
