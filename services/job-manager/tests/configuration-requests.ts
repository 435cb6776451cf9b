import type {
  AppliedPlanView,
  ExportedDocument,
  PlanView,
} from '@waybill/contracts/endpoints/administration/configuration-views';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import type { TestDatabase } from '@waybill/test-kit/create-test-database';
import { afterEach, expect } from 'vitest';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

export const prefix = '/platform-application/api/v1';

/** What a source adds to the test configuration. */
export const team = (more: object = {}, vfs: object = {}) => ({
  source: 'team',
  actors: [
    {
      name: 'umbrella',
      type: 'Partner',
      users: [{ name: 'tom', password: '${TOM_PASSWORD}', groups: ['clerks'] }],
      virtualFileSystems: [{ name: 'umbrella-files', folders: ['/inbox', '/outbox/new'], ...vfs }],
      ...more,
    },
  ],
});
/** What the document refers to. */
export const variables = { TOM_PASSWORD: 'first-password-of-tom' };

/** A job manager for all tests of the calling file, and requests about its configuration. `env` adds to its environment. What tests add is removed. */
export function oneConfiguredManager(env: Readonly<Record<string, string>> = {}) {
  const site = oneJobManager(env);
  const post = (path: string, json: unknown, bearer = site.manager.admin): Promise<HttpResponse> =>
    site.manager.client.post(`${prefix}/configuration/${path}`, { json, bearer, timeoutMs: 60_000 });

  const planOf = async (document: string | object, more: object = {}): Promise<PlanView> => {
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    const response = await post('plan', { document: text, file: 'team.yaml', ...more });
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    return response.json() as PlanView;
  };

  const applied = async (plan: PlanView): Promise<AppliedPlanView> => {
    const response = await post('apply', { planId: plan.planId });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return response.json() as AppliedPlanView;
  };

  const exported = async (query: Record<string, string> = {}): Promise<ExportedDocument[]> => {
    const response = await site.manager.client.get(`${prefix}/configuration/export`, {
      bearer: site.manager.admin,
      query,
    });
    expect(response.status).toBe(200);
    return (response.json() as { documents: ExportedDocument[] }).documents;
  };

  const audited = (condition: string): Promise<Record<string, unknown>[]> =>
    site.platform.database.query(
      `SELECT payload ->> 'auditCode' AS code, payload ->> 'dataoneUser' AS user, payload ->> 'entityName' AS name
         FROM outbox.events WHERE topic = 'audit-event' AND ${condition} ORDER BY id`,
    );

  afterEach(async () => {
    await site.platform.apply({ source: 'team' });
    for (const table of ['partner_users', 'actors']) {
      await site.platform.database.query(`DELETE FROM directory.${table} WHERE source IS NULL`);
    }
    await site.platform.database.query('DELETE FROM directory.configuration_plans');
    await site.platform.apply(testConfiguration);
  });
  return { site, post, planOf, applied, exported, audited };
}

/** The changes that create a partner with a user, files and access. */
export const partnerChanges = (name: string) => [
  { object: { collection: 'actors', name }, create: { type: 'Partner' } },
  {
    object: { collection: 'users', name: `${name}-user`, actor: name },
    create: { password: 'a password of the user' },
  },
  {
    object: { collection: 'virtual-file-systems', name: `${name}-files`, actor: name },
    create: { folders: ['/inbox'] },
  },
  {
    object: { collection: 'connection-contracts', name: 'sftp', actor: name },
    create: {
      cluster: 'cluster1',
      server: 'sftp-server',
      clauses: [{ user: `${name}-user`, vfs: `${name}-files` }],
    },
  },
];

/** Everything that a change could leave. */
export const tracesOfChanges = (database: Pick<TestDatabase, 'query'>) =>
  database.query(`SELECT
    (SELECT json_agg(v.definition ORDER BY v.id) FROM directory.virtual_file_systems v WHERE v.retired_at IS NULL)::text AS vfs,
    (SELECT json_agg(u.definition ORDER BY u.id) FROM directory.partner_users u)::text AS users,
    (SELECT count(*) FROM directory.actors)::int AS actors,
    (SELECT count(*) FROM outbox.events WHERE payload ->> 'entityType' IN ('Actor', 'External User', 'VFS', 'Connection Contract'))::int AS events,
    (SELECT count(*) FROM filebox.entries)::int AS entries`);

/** Removes the actors of the API with what belongs to them. */
export async function removeOwned(database: Pick<TestDatabase, 'query'>): Promise<void> {
  for (const table of ['connection_contracts', 'virtual_file_systems', 'partner_users', 'actors'])
    await database.query(`DELETE FROM directory.${table} WHERE source IS NULL`);
}
