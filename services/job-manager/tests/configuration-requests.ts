import type {
  AppliedPlanView,
  ExportedDocument,
  PlanView,
} from '@waybill/contracts/endpoints/administration/configuration-views';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
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

/** A job manager for all tests of the calling file, and requests about its configuration. What tests add is removed. */
export function oneConfiguredManager() {
  const site = oneJobManager();
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
