import {
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { permissionNames, type PermissionPattern, permissionPatternSchema } from '@waybill/contracts/roles/permissions';
import { type Command, UsageError } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, listOf, textOption } from '../../platform/option-values.ts';
import { readItems } from '../../platform/read-pages.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Creates an API key. */
export const createApiKeyCommand: Command = {
  summary: 'Creates an API key of the user of the access token, and prints it: it is not shown again.',
  usage:
    '<name> [--roles <names>] [--permissions <permissions>] [--actors <names>] [--networks <networks>] [--expires <day>]',
  examples: [
    'waybill api-key create ci --permissions jobs:read,jobs:run --actors acme',
    'waybill api-key create nightly --roles Operators --networks 192.0.2.0/24 --expires 2026-12-31',
  ],
  positionals: ['name'],
  options: {
    ...platformOptions,
    roles: textOption,
    permissions: textOption,
    actors: textOption,
    networks: textOption,
    expires: textOption,
  },
  run: async ({ values, positionals: [name = ''], env, out }) => {
    const [roles, actors, networks] = ['roles', 'actors', 'networks'].map((list) => listOf(values, list));
    const permissions = listOf(values, 'permissions')?.map(permissionPattern);
    const body = { name, roles, permissions, actors, networks, ...givenTexts(values, ['expires']) };
    const { key } = await requestPlatform({ values, env }, createApiKeyEndpoint, { body });
    out(key);
  },
};

/** @throws UsageError for anything else than a permission or a pattern */
function permissionPattern(text: string): PermissionPattern {
  const parsed = permissionPatternSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `there is no permission '${text}': they are ${permissionNames.join(', ')}, and those such as jobs:*`,
  );
}

/** Lists API keys. */
export const listApiKeysCommand: Command = {
  summary: 'Lists your API keys, or with the permission `identities:read` those of all users.',
  usage: '[--json]',
  examples: ['waybill api-key list'],
  positionals: [],
  options: { ...platformOptions, json: flagOption },
  run: async ({ values, env, out }) => {
    const items = await readItems((query) => requestPlatform({ values, env }, listApiKeysEndpoint, { query }));
    for (const { id, name, user, roles, permissions, expiresAt, lastUsedAt, ...rest } of items) {
      const scope = { roles, permissions };
      if (values['json'] === true) out(JSON.stringify({ id, name, user, ...scope, expiresAt, lastUsedAt, ...rest }));
      else
        out(
          `${id}  ${user}/${name}  ${[...roles, ...permissions].join(', ')}  until ${expiresAt}  used ${lastUsedAt ?? 'never'}`,
        );
    }
    if (items.length === 0 && values['json'] !== true) out('There are none.');
  },
};

/** Revokes an API key. */
export const revokeApiKeyCommand: Command = {
  summary: 'Revokes an API key, by its number: within a second no service accepts it any more.',
  usage: '<number>',
  examples: ['waybill api-key revoke 7'],
  positionals: ['number'],
  options: platformOptions,
  run: async ({ values, positionals: [number = ''], env, out }) => {
    await requestPlatform({ values, env }, revokeApiKeyEndpoint, { params: { id: number } });
    out(`The API key ${number} was revoked.`);
  },
};
