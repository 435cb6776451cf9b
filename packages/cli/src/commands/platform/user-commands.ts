import { lastDayOf } from '@waybill/contracts/configuration/expiry';
import { resourceEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import { resources } from '@waybill/contracts/endpoints/administration/resource-table';
import {
  type ListedFreeze,
  listUserFreezesEndpoint,
} from '@waybill/contracts/endpoints/server-sessions/list-user-freezes';
import { resetUserSecondFactorEndpoint } from '@waybill/contracts/endpoints/users/user-second-factor-endpoint';
import {
  deleteUserSshKeyEndpoint,
  listUserSshKeysEndpoint,
} from '@waybill/contracts/endpoints/users/user-ssh-key-endpoints';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { isPlatformError } from '@waybill/platform-client/platform-error';
import { z } from 'zod';
import type { Command, Invocation } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { givenTexts, jsonOption, textOption } from '../../platform/option-values.ts';
import { pagePrinter, printOne, printRows } from '../../platform/print-rows.ts';
import { readPages } from '../../platform/read-pages.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { mostFreezes } from './freeze-commands.ts';

const options = { ...platformOptions, json: jsonOption };

const userSchema = z.looseObject({
  name: z.string(),
  actor: z.string().optional(),
  source: z.string().nullable(),
  enabled: z.boolean().optional(),
  expires: z.string().optional(),
  publicKeys: z.array(z.unknown()).optional(),
  lastLoginAt: z.string().optional(),
});

/** Lists users. */
export const listUsersCommand: Command = {
  summary:
    'Lists the users of actors, by name, with their states (active, disabled, expired or frozen), the number of their keys in the configuration and their last logins over SFTP or HTTP. `waybill users keys` lists the keys that a user has added, too.',
  examples: [
    'waybill users list --actor acme',
    "waybill users list --name 'a*' --json",
    'waybill users list --last-login-before 2026-01-01',
  ],
  options: {
    ...options,
    actor: textOption('name', 'Only users of this actor.'),
    name: textOption('pattern', 'Only users with such names; * matches any sequence.'),
    'last-login-before': textOption('day', 'Only users who have not logged in since this day, or never.'),
  },
  run: async (invocation) => {
    const { list } = resourceEndpoints(resources.users);
    const { 'last-login-before': lastLoginBefore, ...given } = givenTexts(invocation.values, [
      'actor',
      'name',
      'last-login-before',
    ]);
    const filters = { ...given, ...(lastLoginBefore !== undefined && { lastLoginBefore }) };
    const signal = invocation.interruption?.();
    await using client = await openPlatform(invocation, { side: 'manager' });
    const readPage = async (cursor: object) =>
      (await client.call(list, { query: { ...filters, maxItems: 1_000, ...cursor }, signal })).body;
    const freezes = await readFreezes(invocation, client);
    const print = pagePrinter<ListedUser>(invocation, [
      ['USER', ({ name }) => name],
      ['ACTOR', ({ actor }) => actor ?? ''],
      ['STATE', stateOf],
      ['EXPIRES', ({ expires }) => (expires === undefined ? '' : (lastDayOf(expires) ?? expires))],
      // Keys that users have added themselves are in the answers about one user only.
      ['CONFIGURED KEYS', ({ publicKeys = [] }) => String(publicKeys.length)],
      ['LAST LOGIN', ({ lastLoginAt }) => lastLoginAt ?? ''],
      ['OWNER', ({ source }) => source ?? 'the API'],
    ]);
    for await (const { items } of readPages(readPage)) {
      const users = z.array(userSchema).parse(items);
      print(freezes ? users.map((user) => ({ ...user, freeze: freezes.get(user.name) ?? null })) : users);
    }
  },
};

/** `freeze`: null for a user who is not frozen; absent if it is not known. */
type ListedUser = z.infer<typeof userSchema> & { readonly freeze?: ListedFreeze | null };

/** Who is frozen, by name; undefined for somebody whose role does not show it. */
async function readFreezes(
  { err }: Pick<Invocation, 'err'>,
  client: PlatformClient,
): Promise<ReadonlyMap<string, ListedFreeze> | undefined> {
  try {
    const { body } = await client.call(listUserFreezesEndpoint, { query: { maxItem: mostFreezes } });
    return new Map(body.freezes.map((freeze) => [freeze.userName, freeze]));
  } catch (error) {
    if (!isPlatformError(error, 'not_permitted')) throw error;
    err('Your role does not show which users are frozen: this requires the permission freezes:read');
    return undefined;
  }
}

/** Why a user cannot log in, the reason of an administrator first; or that nothing keeps the user from it. */
function stateOf({ enabled = true, expires, freeze }: ListedUser): string {
  if (freeze) return `frozen by ${freeze.frozenBy}${freeze.reason === null ? '' : `: ${freeze.reason}`}`;
  if (!enabled) return 'disabled';
  return expires !== undefined && Date.parse(expires) <= Date.now() ? 'expired' : 'active';
}

/** Lists the SSH keys of a user. */
export const listUserKeysCommand: Command = {
  summary: 'Lists the SSH keys of a user of an actor: those of the configuration, and those that the user has added.',
  examples: ['waybill users keys acme'],
  arguments: { user: 'The name of the user.' },
  options,
  run: async (invocation) => {
    const [userName = ''] = invocation.positionals;
    const { keys } = await requestPlatform(invocation, listUserSshKeysEndpoint, { params: { userName } });
    printRows(invocation, keys, [
      ['ID', ({ id }) => id],
      ['ORIGIN', ({ origin }) => origin],
      ['ADDED', ({ addedAt }) => addedAt ?? ''],
      ['ENDS', ({ expires }) => expires ?? 'never'],
      ['USED', ({ lastUsedAt }) => lastUsedAt ?? 'never'],
      ['COMMENT', ({ comment }) => comment ?? ''],
    ]);
  },
};

/** Deletes an SSH key that a user has added. */
export const deleteUserKeyCommand: Command = {
  summary:
    'Deletes an SSH key that a user has added, by its id: its SFTP sessions end within a second. Put `--` before an id that begins with a dash.',
  examples: [
    'waybill users delete-key acme uNiVztksCsDhcc0u9e8BrDtDDGwqKY8XOzqjYPQdBGg',
    'waybill users delete-key acme -- -iVztksCsDhcc0u9e8BrDtDDGwqKY8XOzqjYPQdBGgu',
  ],
  arguments: { user: 'The name of the user.', id: 'The id of the key.' },
  options,
  run: async (invocation) => {
    const [userName = '', id = ''] = invocation.positionals;
    await requestPlatform(invocation, deleteUserSshKeyEndpoint, { params: { userName, id } });
    printOne(invocation, { userName, id, deleted: true }, [`The key ${id} of ${userName} was deleted`]);
  },
};

/** Removes the second factor of a user. */
export const resetUserSecondFactorCommand: Command = {
  summary: 'Removes the second factor of a user of an actor, who has lost the app and the recovery codes.',
  examples: ['waybill users reset-second-factor acme'],
  arguments: { user: 'The name of the user.' },
  options,
  run: async (invocation) => {
    const [userName = ''] = invocation.positionals;
    await requestPlatform(invocation, resetUserSecondFactorEndpoint, { params: { userName } });
    printOne(invocation, { userName, removed: true }, [`The second factor of ${userName} was removed`]);
  },
};
