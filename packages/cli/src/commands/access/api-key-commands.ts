import {
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { permissionNames, type PermissionPattern, permissionPatternSchema } from '@waybill/contracts/roles/permissions';
import { type Command, UsageError } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { givenTexts, jsonOption, listOf, rowNumber, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { readItems } from '../../platform/read-pages.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Creates an API key. */
export const createApiKeyCommand: Command = {
  summary:
    'Creates an API key of the user of the access token, and prints it: it is not shown again. `--json` prints what the key is limited to, too.',
  examples: [
    'waybill api-key create ci --permissions jobs:read,jobs:run --actors acme',
    'waybill api-key create nightly --roles Operators --networks 192.0.2.0/24 --expires 2026-12-31',
  ],
  arguments: { name: 'A name for the key.' },
  options: {
    ...platformOptions,
    roles: textOption('name,...', 'The roles of the key; without them, those of its user.'),
    permissions: textOption('permission,...', 'The only permissions of the key, such as jobs:read or jobs:*.'),
    actors: textOption('name,...', 'The only actors that the key can be used for.'),
    networks: textOption('network,...', 'The only networks from which the key is accepted, such as 192.0.2.0/24.'),
    expires: textOption('day', 'The last day of the key.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values, positionals } = invocation;
    const [name = ''] = positionals;
    const [roles, actors, networks] = ['roles', 'actors', 'networks'].map((list) => listOf(values, list));
    const permissions = listOf(values, 'permissions')?.map(permissionPattern);
    const body = { name, roles, permissions, actors, networks, ...givenTexts(values, ['expires']) };
    const created = await requestPlatform(invocation, createApiKeyEndpoint, { body });
    printOne(invocation, created, [created.key]);
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
  examples: ['waybill api-key list'],
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const items = await readItems((query) => requestPlatform(invocation, listApiKeysEndpoint, { query }));
    printRows(invocation, items, [
      ['NUMBER', ({ id }) => String(id)],
      ['USER', ({ user }) => user],
      ['NAME', ({ name }) => name],
      ['ROLES', ({ roles }) => roles.join(', ')],
      ['PERMISSIONS', ({ permissions }) => permissions.join(', ')],
      ['ACTORS', ({ actors }) => actors?.join(', ') ?? 'all'],
      ['EXPIRES', ({ expiresAt }) => expiresAt],
      ['LAST USE', ({ lastUsedAt }) => lastUsedAt ?? 'never'],
    ]);
  },
};

/** Revokes an API key. */
export const revokeApiKeyCommand: Command = {
  summary: 'Revokes an API key, by its number: within a second no service accepts it any more.',
  examples: ['waybill api-key revoke 7'],
  arguments: { number: 'The number in `waybill api-key list`.' },
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const id = rowNumber(invocation.positionals[0], 'an API key');
    await requestPlatform(invocation, revokeApiKeyEndpoint, { params: { id } });
    printOne(invocation, { id: Number(id), revoked: true }, [`The API key ${id} was revoked.`]);
  },
};
