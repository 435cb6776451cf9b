import { platformOwner } from '@waybill/contracts/configuration/configuration-source';
import { builtInRoleNames, builtInRoles } from '@waybill/contracts/roles/built-in-roles';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { afterEach, describe, expect, it } from 'vitest';
import { oneConfiguredManager, prefix, team, variables } from './configuration-requests.ts';

const { site, post, planOf, applied } = oneConfiguredManager();

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const ask = async (method: Method, path: string, json?: object): Promise<HttpResponse> =>
  await site.manager.client.request(method, `${prefix}/${path}`, {
    bearer: site.manager.admin,
    ...(json && { json }),
  });

const namesIn = (response: HttpResponse): string[] =>
  (response.json() as { items: { name: string }[] }).items.map(({ name }) => name);

const own = { name: 'Night shift', description: '', permissions: ['jobs:read'] };

afterEach(async () => {
  await site.platform.database.query('DELETE FROM directory.roles WHERE source IS NULL');
});

describe('built-in roles over the API', () => {
  it('are listed among the others, sorted, filtered and page by page, and shown with their permissions', async () => {
    expect((await ask('POST', 'roles', own)).status).toBe(201);
    const listed = await ask('GET', 'roles');
    expect(namesIn(listed)).toEqual([...builtInRoleNames, own.name].toSorted());
    expect(namesIn(await ask('GET', 'roles?sort=-name'))).toEqual(namesIn(listed).toReversed());
    expect(namesIn(await ask('GET', `roles?source=${platformOwner}`))).toEqual([...builtInRoleNames].toSorted());
    expect(namesIn(await ask('GET', 'roles?source='))).toEqual([own.name]);
    expect(namesIn(await ask('GET', 'roles?permission=audit:read&name=A*'))).toEqual(['Administrators', 'Auditors']);

    const paged: string[] = [];
    let next: string | undefined = `${prefix}/roles?maxItems=2`;
    while (next !== undefined) {
      const page: HttpResponse = await site.manager.client.get(next, { bearer: site.manager.admin });
      paged.push(...namesIn(page));
      ({ next } = page.json() as { next?: string });
    }
    expect(paged).toEqual(namesIn(listed));

    const shown = await ask('GET', 'roles/Security%20officers');
    expect(shown.json()).toEqual({
      name: 'Security officers',
      ...builtInRoles['Security officers'],
      source: platformOwner,
    });
    expect(shown.headers.get('etag')).toMatch(/^"[\w-]{22}"$/u);
  });

  it('cannot be changed, deleted, forced or given to another owner, and no source has their owner’s name', async () => {
    const object = { collection: 'roles', name: 'Auditors' };
    const refusals = [
      await ask('PATCH', 'roles/Auditors', { permissions: ['jobs:read'] }),
      await ask('PUT', 'roles/Auditors', { description: '', permissions: ['jobs:read'] }),
      await ask('DELETE', 'roles/Auditors'),
      await ask('DELETE', 'roles/Auditors?dryRun=true'),
      await post('force', { object, patch: { description: 'x' }, reason: 'a test' }),
      await post('adopt', { source: 'team', objects: [object] }),
      await post('release', { source: 'team', objects: [object] }),
    ];
    for (const refused of refusals) {
      const detail = 'Role Auditors belongs to the platform: it cannot be changed';
      expect([refused.status, refused.json()]).toEqual([
        409,
        expect.objectContaining({ code: 'entity_owned', detail }),
      ]);
    }
    const named = await ask('POST', 'roles', { ...own, name: 'Auditors' });
    expect([named.status, named.text]).toEqual([400, expect.stringContaining('is the name of a built-in role')]);
    const adopted = await post('adopt', { source: platformOwner, objects: [object] });
    expect([adopted.status, adopted.text]).toEqual([400, expect.stringContaining('is the owner of what is built in')]);
    expect((await ask('GET', 'roles/Auditors')).json()).toMatchObject(builtInRoles.Auditors);
  });

  it('are listed and shown by `waybill objects`', async () => {
    const env = { WAYBILL_URL: site.manager.url, WAYBILL_TOKEN: site.manager.admin };
    const listed = await runWaybill(['objects', 'list', 'roles', '--name', 'Au*'], env);
    expect(listed).toMatchObject({ code: 0, out: 'NAME      ACTOR  OWNER\nAuditors         built-in\n' });
    const shown = await runWaybill(['objects', 'show', 'roles', 'Auditors', '--json'], env);
    expect(JSON.parse(shown.out)).toMatchObject({ permissions: ['audit:read'], source: platformOwner });
    const refused = await runWaybill(['objects', 'delete', 'roles', 'Auditors'], env);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('it cannot be changed')]);
  });

  it('are in no export, in no plan and no drift', async () => {
    await applied(await planOf(team(), { variables }));
    expect((await planOf(team(), { variables })).changes).toEqual([]);
    const exported = await site.manager.client.get(`${prefix}/configuration/export`, { bearer: site.manager.admin });
    expect(exported.text).not.toContain('Security officers');
    const drift = await ask('GET', 'configuration/drift');
    expect(drift.text).not.toContain('Administrators');
  });
});
