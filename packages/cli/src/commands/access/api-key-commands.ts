import {
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { z } from 'zod';
import type { Command, Invocation } from '../../command.ts';
import { platformOptions, requestPlatform } from '../request-platform.ts';

const text = { type: 'string' } as const;

/** Creates an API key. */
export const createApiKeyCommand: Command = {
  summary: 'Creates an API key of the user of the access token, and prints it: it is not shown again.',
  usage: '<name> [--roles <names>] [--actors <names>] [--networks <networks>] [--expires <day>]',
  positionals: ['name'],
  options: { ...platformOptions, roles: text, actors: text, networks: text, expires: text },
  run: async ({ values, positionals: [name = ''], env, out }) => {
    const { method, path, responses } = createApiKeyEndpoint;
    const lists = ['roles', 'actors', 'networks'].flatMap((list) => {
      const given = listOf(values, list);
      return given ? [[list, given] as const] : [];
    });
    const { expires } = values;
    const body = { name, ...Object.fromEntries(lists), ...(typeof expires === 'string' && { expires }) };
    const created = await requestPlatform(
      { values, env },
      { method, path, body, response: responses[201].body.schema },
    );
    out(created.key);
  },
};

/** Lists API keys. */
export const listApiKeysCommand: Command = {
  summary: 'Lists your API keys, or with the permission `identities:read` those of all users.',
  usage: '[--json]',
  positionals: [],
  options: { ...platformOptions, json: { type: 'boolean' } },
  run: async ({ values, env, out }) => {
    const { method, path, responses } = listApiKeysEndpoint;
    const { items } = await requestPlatform({ values, env }, { method, path, response: responses[200].body.schema });
    for (const { id, name, user, roles, expiresAt, lastUsedAt, ...rest } of items) {
      if (values['json'] === true) out(JSON.stringify({ id, name, user, roles, expiresAt, lastUsedAt, ...rest }));
      else out(`${id}  ${user}/${name}  ${roles.join(', ')}  until ${expiresAt}  used ${lastUsedAt ?? 'never'}`);
    }
    if (items.length === 0 && values['json'] !== true) out('There are none.');
  },
};

/** Revokes an API key. */
export const revokeApiKeyCommand: Command = {
  summary: 'Revokes an API key, by its number: within a second no service accepts it any more.',
  usage: '<number>',
  positionals: ['number'],
  options: platformOptions,
  run: async ({ values, positionals: [number = ''], env, out }) => {
    const { method, path } = revokeApiKeyEndpoint;
    const address = path.replace(':id', encodeURIComponent(number));
    await requestPlatform({ values, env }, { method, path: address, response: z.undefined() });
    out(`The API key ${number} was revoked.`);
  },
};

function listOf(values: Invocation['values'], name: string): string[] | undefined {
  const given = values[name];
  return typeof given === 'string' ? given.split(',').map((part) => part.trim()) : undefined;
}
