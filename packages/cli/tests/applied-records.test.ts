import { userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { oneCommandLine } from './one-command-line.ts';

const line = oneCommandLine();

const platform = (folders: string): string => `
manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: '\${ADMIN_PASSWORD}', roles: [Administrators] }]
workflowTemplates:
  - { name: pack, steps: [{ name: one, uses: gzip, with: { source: a, target: '\${PARTNER}' } }] }
actors:
  - name: acme
    type: Partner
    description: \${PARTNER}
    users: [{ name: acme, password: '\${ACME_PASSWORD}' }]
    virtualFileSystems: [{ name: acme-files, folders: ${folders} }]
`;
const variables = { ADMIN_PASSWORD: 'canary-of-admin', ACME_PASSWORD: 'canary-of-acme', PARTNER: 'canary-of-partner' };

const takeEvents = () =>
  line.database.query(
    `WITH taken AS (DELETE FROM outbox.events WHERE topic = 'audit-event' RETURNING payload)
     SELECT payload->>'dataoneUser' AS user, payload->>'entityName' AS name,
       payload->'context'->>'difference' AS difference, payload::text AS text FROM taken`,
  );

it('apply records who has changed what, without a value of the environment', async () => {
  expect(await line.run('apply', platform('[/inbox]'), variables)).toMatchObject({ code: 0, err: '' });
  const created = await takeEvents();
  expect(created.map(({ name }) => name)).toContain('pack');
  expect(created.map(({ text }) => text).join('\n')).not.toContain('canary');
  expect(await line.run('apply', platform('[/inbox, /outbox]'), variables)).toMatchObject({ code: 0, err: '' });
  const modified = await takeEvents();
  const file = modified.filter(({ name }) => name === 'acme-files');
  expect(file).toMatchObject([
    {
      user: userInfo().username,
      difference: '{"before":{"folders":["/inbox"]},"after":{"folders":["/inbox","/outbox"]}}',
    },
  ]);
  expect(modified.map(({ text }) => text).join('\n')).not.toContain('canary');
});
