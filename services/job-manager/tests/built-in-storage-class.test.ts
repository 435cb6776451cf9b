import { platformOwner } from '@waybill/contracts/configuration/configuration-source';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { describe, expect, it } from 'vitest';
import { oneConfiguredManager, prefix } from './configuration-requests.ts';

const { site, post, exported } = oneConfiguredManager();

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const ask = (method: Method, path: string, json?: object): Promise<HttpResponse> =>
  site.manager.client.request(method, `${prefix}/${path}`, { bearer: site.manager.admin, ...(json && { json }) });

const local = { name: 'local', type: 'local', source: platformOwner };

describe('the built-in storage class', () => {
  it('is listed and shown, without a folder, which the services have', async () => {
    expect((await ask('GET', 'storage-classes?sort=type')).json()).toEqual({ items: [local] });
    expect((await ask('GET', `storage-classes?source=${platformOwner}&type=local`)).json()).toEqual({ items: [local] });
    expect((await ask('GET', 'storage-classes?type=s3')).json()).toEqual({ items: [] });
    const shown = await ask('GET', 'storage-classes/local');
    expect([shown.status, shown.json()]).toEqual([200, local]);
  });

  it('cannot be changed, deleted, forced, given to another owner or made again', async () => {
    const object = { collection: 'storage-classes', name: 'local' };
    const settings = { type: 'local', folder: '/elsewhere' };
    const refusals = [
      await ask('PATCH', 'storage-classes/local', { folder: '/elsewhere' }),
      await ask('PUT', 'storage-classes/local', settings),
      await ask('DELETE', 'storage-classes/local'),
      await ask('DELETE', 'storage-classes/local?dryRun=true'),
      await post('force', { object, patch: { folder: '/elsewhere' }, reason: 'a test' }),
      await post('adopt', { source: 'team', objects: [object] }),
      await post('release', { source: 'team', objects: [object] }),
    ];
    for (const refused of refusals) {
      const detail = 'Storage Class local belongs to the platform: it cannot be changed';
      expect([refused.status, refused.json()]).toEqual([
        409,
        expect.objectContaining({ code: 'entity_owned', detail }),
      ]);
    }
    const made = await ask('POST', 'storage-classes', { name: 'local', ...settings });
    expect([made.status, made.text]).toEqual([400, expect.stringContaining('is the name of the built-in class')]);
  });

  it('is in no export', async () => {
    const documents = await exported();
    expect(documents.map(({ document }) => document).join('\n')).not.toContain('storageClasses');
  });
});
