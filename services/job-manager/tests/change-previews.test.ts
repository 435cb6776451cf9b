import { generateKeyPairSync } from 'node:crypto';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import { listExpiriesEndpoint } from '@waybill/contracts/endpoints/administration/list-expiries';
import { afterEach, describe, expect, it } from 'vitest';
import {
  oneConfiguredManager,
  partnerChanges as partner,
  prefix,
  removeOwned,
  team,
  tracesOfChanges,
  variables,
} from './configuration-requests.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const { site, post, planOf, applied } = oneConfiguredManager();

const ask = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, json?: unknown, headers = {}) =>
  site.manager.client.request(method, `${prefix}/${path}`, {
    bearer: site.manager.admin,
    headers,
    ...(json !== undefined && { json }),
  });

afterEach(() => removeOwned(site.platform.database));

const traces = () => tracesOfChanges(site.platform.database);

async function previewOf(...request: Parameters<typeof ask>): Promise<ChangePreview> {
  const before = await traces();
  const response = await ask(...request);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  expect(await traces()).toEqual(before);
  return response.json() as ChangePreview;
}

describe('a dry run of a change', () => {
  it('shows what each kind of request would change, without passwords, and changes nothing', async () => {
    const created = await previewOf('POST', 'actors?dryRun=true', { name: 'hooli', type: 'Partner' });
    expect(created.changes).toMatchObject([{ change: 'created', entityType: 'Actor', name: 'hooli' }]);

    const changes = partner('hooli');
    const whole = await previewOf('POST', 'configuration/changes?dryRun=true', { changes });
    expect(whole.changes.map(({ change, name }) => `${change} ${name}`)).toEqual([
      'created hooli',
      'created hooli-user',
      'created hooli-files',
      'created sftp',
    ]);
    expect(JSON.stringify(whole)).not.toContain('a password of the user');

    expect((await post('changes', { changes })).status).toBe(201);
    const retained = await previewOf('PATCH', 'virtual-file-systems/hooli-files?dryRun=true', {
      retention: { hoursAfterPut: 24 },
    });
    expect(retained.changes[0]?.differences).toEqual([{ setting: 'retention', after: { hoursAfterPut: 24 } }]);
    expect(retained.uses).toEqual([
      {
        entityType: 'Connection Contract',
        name: 'sftp',
        actor: 'hooli',
        setting: 'clauses[0].vfs',
        of: 'hooli-files',
      },
    ]);
    const replaced = await previewOf('PUT', 'users/hooli-user?dryRun=true', { actor: 'hooli', maxSessions: 3 });
    expect(replaced.changes).toMatchObject([
      { change: 'modified', differences: [{ setting: 'maxSessions', after: 3 }] },
    ]);
    const removed = await previewOf('DELETE', 'connection-contracts/sftp?actor=hooli&dryRun=true');
    expect(removed.changes).toMatchObject([{ change: 'deleted', name: 'sftp' }]);
    const same = await previewOf('PATCH', 'users/hooli-user?dryRun=true', {});
    expect(same).toEqual({ changes: [], consequences: [], uses: [] });
  });

  it('shows what a forced change would do', async () => {
    await applied(await planOf(team(), { variables }));
    const forced = await previewOf('POST', 'configuration/force?dryRun=true', {
      object: { collection: 'users', name: 'tom' },
      patch: { enabled: false },
      reason: 'a trial',
    });
    expect(forced.changes).toMatchObject([{ differences: [{ setting: 'enabled', before: true, after: false }] }]);
    expect((await ask('GET', 'users/tom')).json()).toMatchObject({ enabled: true });
  });

  it('is refused as the change would be', async () => {
    await applied(await planOf(team(), { variables }));
    const codeOf = async (...request: Parameters<typeof ask>) => {
      const response = await ask(...request);
      const { code, detail } = response.json() as { code?: string; detail?: string };
      return [response.status, code, ...(code === 'validation_failed' ? [detail] : [])];
    };
    expect(await codeOf('PATCH', 'users/tom?dryRun=true', { enabled: false })).toEqual([409, 'entity_owned']);
    expect(await codeOf('POST', 'actors?dryRun=true', { name: 'umbrella', type: 'Partner' })).toEqual([
      409,
      'entity_exists',
    ]);
    expect(await codeOf('POST', 'actors?dryRun=maybe', { name: 'x', type: 'Partner' })).toEqual([
      400,
      'validation_failed',
      'dryRun: must be true or false',
    ]);
    expect(await codeOf('DELETE', 'users/nobody?dryRun=true')).toEqual([404, 'entity_unknown']);
    expect((await post('changes', { changes: partner('hooli') })).status).toBe(201);
    expect(await codeOf('DELETE', 'virtual-file-systems/hooli-files?dryRun=true')).toEqual([409, 'entity_in_use']);
    const stale = { 'If-Match': '"nothing"' };
    expect(await codeOf('DELETE', 'users/hooli-user?dryRun=true', undefined, stale)).toEqual([
      412,
      'precondition_failed',
    ]);
    const viewer = await site.manager.client.request('POST', `${prefix}/actors?dryRun=true`, {
      bearer: site.manager.viewer,
      json: { name: 'x', type: 'Partner' },
    });
    expect(viewer.status).toBe(403);
  });
});

describe('what expires', () => {
  /** A line of authorized_keys. */
  const publicKey = (): string => {
    const text = (value: string | Buffer): Buffer => {
      const bytes = Buffer.from(value);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return Buffer.concat([length, bytes]);
    };
    const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const blob = Buffer.concat([text('ssh-ed25519'), text(Buffer.from(x, 'base64url'))]);
    return `ssh-ed25519 ${blob.toString('base64')}`;
  };
  const expiries = async (query = '', bearer = site.manager.admin) => {
    const response = await site.manager.client.get(`${prefix}/expiries${query}`, { bearer });
    const { items } = listExpiriesEndpoint.responses[200].body.schema.parse(response.json());
    // What processes report comes when it comes.
    const stored = items.filter(({ process }) => process === null);
    return stored.map(({ kind, name, actor, state }) => `${kind} ${name} ${actor ?? '-'} ${state}`);
  };

  it('lists keys of users and API keys with an end, by their end, and none without', async () => {
    const [actor, user, ...others] = partner('hooli');
    const keys = [
      { key: publicKey(), expires: '2020-03-31' },
      { key: publicKey(), expires: '2199-01-01' },
      { key: publicKey() },
    ];
    const changes = [actor, { ...user, create: { ...user?.create, publicKeys: keys } }, ...others];
    expect((await post('changes', { changes })).status).toBe(201);
    expect((await ask('POST', 'api-keys', { name: 'ci' })).status).toBe(201);
    expect(await expiries()).toEqual([
      'user-ssh-key hooli-user hooli expired',
      'api-key ci - valid',
      'user-ssh-key hooli-user hooli valid',
    ]);
    expect(await expiries('?withinDays=0&actor=hooli')).toEqual(['user-ssh-key hooli-user hooli expired']);
    expect(await expiries('?actor=acme')).toEqual([]);
    for (const wrong of ['?withinDays=-1', '?withinDays=soon', '?actor=', '?more=1'])
      expect((await ask('GET', `expiries${wrong}`)).status, wrong).toBe(400);
    const bearer = site.manager.viewer;
    expect((await site.manager.client.get(`${prefix}/expiries`, { bearer })).status).toBe(403);
  });

  it('lists the authorities that client connections trust, each once, with what cannot be read first', async () => {
    const [early, late] = await Promise.all([10, 400].map((days) => makeSelfSigned({ names: [`ca-${days}`], days })));
    const damaged = '-----BEGIN CERTIFICATE-----\n\u202E<b>\n-----END CERTIFICATE-----';
    const certificateAuthorities = [late?.cert, early?.cert, damaged, early?.cert].join('\n');
    const connection = { name: 'bank', type: 'http', url: 'https://bank.example', certificateAuthorities };
    expect((await ask('POST', 'client-connections', connection)).status).toBe(201);
    const response = await ask('GET', 'expiries');
    const { items } = listExpiriesEndpoint.responses[200].body.schema.parse(response.json());
    const ofConnections = items.filter(({ kind }) => kind === 'connection-certificate');
    expect(ofConnections.map(({ name, detail, state }) => `${name} ${detail} ${state}`)).toEqual([
      'bank  expired',
      'bank CN=ca-10 soon',
      'bank CN=ca-400 valid',
    ]);
    // The metric has the first to expire of each connection.
    const intact = { ...connection, name: 'intact', certificateAuthorities: [late?.cert, early?.cert].join('\n') };
    expect((await ask('POST', 'client-connections', intact)).status).toBe(201);
    const { text } = await site.manager.client.get('/metrics');
    const ends = text.matchAll(
      /^waybill_connection_certificate_expiry_seconds\{connection="(\w+)",owner="",[^}]*\} (\d+)$/gmu,
    );
    const soonest = Date.parse(ofConnections[1]?.expiresAt ?? '') / 1_000;
    expect([...ends].map(([, name, at]) => [name, Number(at)])).toEqual([
      ['bank', 0],
      ['intact', soonest],
    ]);
    expect((await ask('DELETE', 'client-connections/intact')).status).toBeLessThan(300);
    expect((await ask('DELETE', 'client-connections/bank')).status).toBeLessThan(300);
  });

  it('is shown by `waybill expiries`, as dry runs of changes are by the commands that make them', async () => {
    const [actor, user] = partner('hooli');
    const publicKeys = [{ key: publicKey(), expires: '2020-03-31' }];
    await post('changes', { changes: [actor, { ...user, create: { ...user?.create, publicKeys } }] });
    await applied(await planOf(team(), { variables }));
    const before = await traces();
    await using access = await platformAccess(site.manager);
    const waybill = (...args: readonly string[]) => runWaybill(...args, ...access.options);
    const [listed, removed, forced] = await Promise.all([
      waybill('expiries', '--actor', 'hooli', '--exit-code'),
      waybill('objects', 'delete', 'users', 'hooli-user', '--dry-run'),
      waybill('force', 'users', 'tom', '--reason', 'a trial', '--patch', '{"enabled":false}', '--dry-run'),
    ]);
    expect(listed).toEqual({
      code: 2,
      out: expect.stringMatching(/expired +2020-04-01\S+ +user-ssh-key +hooli-user/u),
    });
    expect(removed).toEqual({
      code: 0,
      out: expect.stringMatching(/^- External User hooli-user\n[^]*nothing was changed/u),
    });
    expect(forced).toEqual({ code: 0, out: expect.stringContaining('enabled') });
    expect(await traces()).toEqual(before);
  });
});
