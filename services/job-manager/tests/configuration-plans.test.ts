import { gunzipSync } from 'node:zlib';
import { verifyPassword } from '@waybill/access/verify-password';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { oneConfiguredManager, prefix, team, variables } from './configuration-requests.ts';
import { testConfiguration } from './test-configuration.ts';

const { site, post, planOf, applied, audited } = oneConfiguredManager();

describe('a plan over the API', () => {
  it('shows every change without secrets and does nothing; applying it does exactly that, and audits it', async () => {
    const plan = await planOf(stringify(team()), { variables });
    expect(plan).toMatchObject({ source: 'team', file: 'team.yaml', counts: { created: 3, modified: 0, deleted: 0 } });
    expect(plan.changes.map(({ change, entityType, name, actor }) => [change, entityType, name, actor])).toEqual([
      ['created', 'Actor', 'umbrella', undefined],
      ['created', 'External User', 'tom', 'umbrella'],
      ['created', 'VFS', 'umbrella-files', 'umbrella'],
    ]);
    expect(plan.changes[2]?.differences).toContainEqual({ setting: 'folders', after: ['/inbox', '/outbox/new'] });
    const [stored] = await site.platform.database.query('SELECT content FROM directory.configuration_plans');
    const kept = gunzipSync(z.instanceof(Buffer).parse(stored?.['content'])).toString();
    expect(kept).toContain('umbrella-files');
    expect(`${JSON.stringify(plan)}${kept}`).not.toContain('first-password-of-tom');
    expect((await site.manager.client.get(`${prefix}/actors/umbrella`, { bearer: site.manager.admin })).status).toBe(
      404,
    );

    expect(await applied(plan)).toMatchObject({
      isRepeated: false,
      foldersCreated: ['umbrella-files:/inbox', 'umbrella-files:/outbox', 'umbrella-files:/outbox/new'],
    });
    const [user] = await site.platform.database.query(
      "SELECT source, password_hash FROM directory.partner_users WHERE name = 'tom'",
    );
    expect(user?.['source']).toBe('team');
    expect(await verifyPassword(String(user?.['password_hash']), 'first-password-of-tom')).toBe(true);
    expect(await audited("payload ->> 'entityName' IN ('team', 'tom', 'umbrella')")).toEqual(
      expect.arrayContaining([
        { code: 'AUD0080A', user: 'admin', name: 'team' },
        { code: 'AUD0001A', user: 'admin', name: 'tom' },
        { code: 'AUD0081A', user: 'admin', name: 'team' },
      ]),
    );
    expect(await planOf(stringify(team()), { variables })).toMatchObject({ changes: [] });
  });

  it('is applied once: a repetition returns the same and changes nothing, also at the same time', async () => {
    const plan = await planOf(team(), { variables });
    const answers = await Promise.all(Array.from({ length: 4 }, () => applied(plan)));
    expect(answers.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
    const before = await site.platform.database.query('SELECT count(*) FROM outbox.events');
    expect(await applied(plan)).toMatchObject({ isRepeated: true, counts: { created: 3, modified: 0, deleted: 0 } });
    expect(await site.platform.database.query('SELECT count(*) FROM outbox.events')).toEqual(before);
  });

  it('is refused when what it changes has moved since: the answer names it, and nothing is changed', async () => {
    await applied(await planOf(team(), { variables }));
    const late = await planOf(team({ description: 'late' }, { limits: { files: 10 } }), { variables });
    await applied(await planOf(team({ description: 'early' }), { variables }));
    const refused = await post('apply', { planId: late.planId });
    expect([refused.status, refused.json()]).toEqual([
      409,
      expect.objectContaining({
        code: 'plan_outdated',
        errors: [{ field: 'Actor umbrella', message: 'was changed since the plan was made' }],
      }),
    ]);
    const names = await site.platform.database.query(
      "SELECT definition FROM directory.virtual_file_systems WHERE name = 'umbrella-files'",
    );
    expect(names).not.toContainEqual({ definition: expect.objectContaining({ limits: { files: 10 } }) });
    const unrelated = await planOf(team({ description: 'next' }), { variables });
    const other = { name: 'other', type: 'Partner' };
    const created = await site.manager.client.post(`${prefix}/actors`, { json: other, bearer: site.manager.admin });
    expect(created.status).toBe(201);
    expect(await applied(unrelated)).toMatchObject({ isRepeated: false });
  });

  it('is refused when a name was taken since, or what it refers to is gone', async () => {
    const plan = await planOf(team(), { variables });
    const actor = { name: 'umbrella', type: 'Partner' };
    await site.manager.client.post(`${prefix}/actors`, { json: actor, bearer: site.manager.admin });
    expect((await post('apply', { planId: plan.planId })).json()).toMatchObject({
      code: 'plan_outdated',
      errors: [
        {
          field: 'actors[0].name',
          message:
            'Actor umbrella belongs to the API: leave it out, or adopt it first with `waybill adopt actors umbrella --source team`',
        },
      ],
    });
  });

  it('expires, and its id names nothing else', async () => {
    const plan = await planOf(team(), { variables });
    await site.platform.database.query(
      "UPDATE directory.configuration_plans SET expires_at = now() - interval '1 second'",
    );
    expect((await post('apply', { planId: plan.planId })).status).toBe(404);
    expect((await post('apply', { planId: '00000000-0000-4000-8000-000000000000' })).status).toBe(404);
    expect((await post('apply', { planId: "'; DROP TABLE x" })).status).toBe(400);
    expect((await post('apply', {})).status).toBe(400);
  });

  it('warns of what a shorter retention deletes', async () => {
    await site.platform.deliver('/inbox/old.txt', Buffer.from('old'));
    await site.platform.database.query(
      "UPDATE filebox.entries SET put_at = now() - interval '10 hours' WHERE name = 'old.txt'",
    );
    const configuration = structuredClone(testConfiguration);
    for (const vfs of configuration.actors[0]?.virtualFileSystems ?? [])
      Object.assign(vfs, { retention: { hoursAfterPut: 5 } });
    const plan = await planOf(configuration);
    expect(plan.consequences).toContainEqual(
      expect.stringMatching(/^VFS acme-files: 1 file is past its new retention/u),
    );
  });
});
