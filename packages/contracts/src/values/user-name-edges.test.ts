import { expect, it } from 'vitest';
import type { z } from 'zod';
import { managerUserSchema, partnerUserSchema } from '../configuration/user-configuration.ts';
import { logInEndpoint } from '../endpoints/access/log-in.ts';
import { listAuditRecordsEndpoint } from '../endpoints/audit-logs/list-audit-records.ts';
import { openLoginSessionEndpoint } from '../endpoints/files/logins/open-login-session.ts';
import { listJobsEndpoint } from '../endpoints/jobs/list-jobs.ts';
import { listServerSessionsEndpoint } from '../endpoints/server-sessions/list-server-sessions.ts';
import { findUserFreezeEndpoint } from '../endpoints/users/find-user-freeze.ts';
import { freezeUserEndpoint } from '../endpoints/users/freeze-user.ts';
import { thawUserEndpoint } from '../endpoints/users/thaw-user.ts';

const [name, decomposed] = ['m\u00fcller', 'mu\u0308ller'];
const password = 'secret';

const edges: [string, z.ZodType, (userName: string) => unknown, (userName: string) => unknown][] = [
  ...[findUserFreezeEndpoint, freezeUserEndpoint, thawUserEndpoint].map(
    ({ id, params }) =>
      [
        id,
        params,
        (userName: string) => ({ userName }),
        (userName: string) => ({ userName }),
      ] satisfies (typeof edges)[number],
  ),
  ['logIn', logInEndpoint.body.schema, (username) => ({ username, password }), (username) => ({ username, password })],
  [
    'openLoginSession',
    openLoginSessionEndpoint.body.schema,
    (username) => ({ username, password }),
    (username) => ({ username, password }),
  ],
  [
    'listServerSessions',
    listServerSessionsEndpoint.query,
    (userName) => ({ userName }),
    (userName) => ({ userName, maxItem: 100 }),
  ],
  ['a manager user', managerUserSchema.pick({ name: true }), (text) => ({ name: text }), (text) => ({ name: text })],
  ['a partner user', partnerUserSchema.pick({ name: true }), (text) => ({ name: text }), (text) => ({ name: text })],
];

it.each(edges)('%s reads every Unicode form of a name as the same', (_edge, schema, input, output) => {
  for (const text of [name, decomposed]) expect(schema.parse(input(text))).toEqual(output(name));
});

it('the filters of the job list and of the audit list do, too', () => {
  expect(listJobsEndpoint.query.parse({ submittedBy: decomposed }).submittedBy).toBe(name);
  const q = `{dataoneUser="${decomposed}",entityName="${decomposed}"}`;
  expect(listAuditRecordsEndpoint.query.parse({ page: '0', q }).q?.exact).toEqual({
    dataoneUser: name,
    entityName: name,
  });
});

it('the audit list finds records that name no user', () => {
  const { q } = listAuditRecordsEndpoint.query.parse({ page: '0', q: '{dataoneUser=""}' });
  expect(q?.exact).toEqual({ dataoneUser: '' });
});

it.each(['a\u0007b', 'a'.repeat(256), '\u0345'.repeat(5_000), 'a\ud800'])('a filter by %j is refused', (text) => {
  expect(listAuditRecordsEndpoint.query.safeParse({ page: '0', q: `{dataoneUser="${text}"}` }).success).toBe(false);
  expect(listJobsEndpoint.query.safeParse({ submittedBy: text }).success).toBe(false);
  expect(listServerSessionsEndpoint.query.safeParse({ userName: text }).success).toBe(false);
});

it('no user can have the name that replaces an impossible name', () => {
  for (const text of ['a\uFFFDb', 'a\ud800']) expect(partnerUserSchema.safeParse({ name: text }).success).toBe(false);
});
