import type { ConnectionSshKey } from '@waybill/contracts/endpoints/connections/connection-ssh-key-endpoints';
import {
  deleteConnectionSshKeyEndpoint,
  findConnectionSshKeyEndpoint,
  generateConnectionSshKeyEndpoint,
  importConnectionSshKeyEndpoint,
  listConnectionSshKeysEndpoint,
} from '@waybill/contracts/endpoints/connections/connection-ssh-key-endpoints';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import { pageOf } from '@waybill/http-kit/routing/list-cursor';
import { nextLink } from '@waybill/http-kit/routing/next-link';
import type { Route } from '@waybill/http-kit/routing/route';
import type {
  ConnectionSshKeyFacts,
  ConnectionSshKeys,
  StoredKey,
} from '../../domain/administration/connection-ssh-keys.ts';
import type { StoredSecrets } from '../../domain/administration/stored-secrets.ts';
import { callerOf } from './caller-of.ts';
import { secretQueryOf } from './secret-routes.ts';
import { conditionsOf } from './write-conditions.ts';

/** The endpoints about the SSH keys of client connections, whose private part is never shown. */
export function createConnectionSshKeyRoutes(keys: ConnectionSshKeys, secrets: StoredSecrets): Route[] {
  return [
    bindEndpoint(listConnectionSshKeysEndpoint, async ({ query, ...request }) => {
      const found = await keys.list(secretQueryOf(query), callerOf(request));
      const { items, cursor } = pageOf(found, query.maxItems, ({ actor = '', name }) => [actor, name]);
      const next = nextLink(listConnectionSshKeysEndpoint.path, query, cursor);
      return { status: 200, body: { items: items.map(present), ...next } };
    }),
    bindEndpoint(findConnectionSshKeyEndpoint, async ({ params: { name }, query: { actor }, ...request }) => {
      const key = await keys.find({ actor, name }, callerOf(request));
      return { status: 200, body: present(key), headers: etagOf(key) };
    }),
    bindEndpoint(generateConnectionSshKeyEndpoint, async ({ params, query: { actor }, body, headers, ...request }) => {
      const key = { ...params, actor, ...body, conditions: conditionsOf(headers) };
      return presentStored(await keys.generate(key, callerOf(request)));
    }),
    bindEndpoint(importConnectionSshKeyEndpoint, async ({ params, query: { actor }, body, headers, ...request }) => {
      const { privateKey, passphrase, comment } = body;
      const key = { ...params, actor, privateKey, passphrase, comment, conditions: conditionsOf(headers) };
      return presentStored(await keys.importKey(key, callerOf(request)));
    }),
    bindEndpoint(deleteConnectionSshKeyEndpoint, async ({ params, query, headers, ...request }) => {
      const { actor, force, dryRun } = query;
      const by = callerOf(request);
      const { version } = await keys.find({ ...params, actor }, by);
      const { ifMatch } = conditionsOf(headers);
      // What is deleted is the key that was found: no other secret that was stored meanwhile.
      const isMeant = ifMatch === undefined || ifMatch.includes('*') || ifMatch.includes(version);
      const conditions = { ifMatch: isMeant ? [version] : [] };
      const removal = { ...params, actor, conditions, force: force === 'true' };
      if (dryRun === 'true') return { status: 200, body: await secrets.previewRemoval(removal, by) };
      await secrets.remove(removal, by);
      return { status: 204 };
    }),
  ];
}

function presentStored({ isNew, key }: StoredKey) {
  return { status: isNew ? 201 : 200, body: present(key), headers: etagOf(key) } as const;
}

function etagOf({ version }: ConnectionSshKeyFacts) {
  return { ETag: `"${version}"` };
}

function present({
  name,
  actor,
  publicKey,
  fingerprint,
  keyId,
  updatedAt,
  uses,
}: ConnectionSshKeyFacts): ConnectionSshKey {
  const usedBy = uses.map(({ connection, keyExpires }) => ({ connection, keyExpires }));
  return { name, actor: actor ?? null, publicKey, fingerprint, keyId, updatedAt: updatedAt.toISOString(), usedBy };
}
