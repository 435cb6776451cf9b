import { CodedError } from '@waybill/contracts/errors/coded-error';
import { queryRows } from '../queries/query-rows.ts';
import type { AppliedActor } from './apply-actors.ts';
import type { Change } from './change.ts';
import { type Applying, reconcileEntities } from './reconcile-entities.ts';

/** Uses that are named at most. */
const shownAtMost = 5;

/**
 * Applies the groups of actors that have settings; after the users, contracts and rules that name them.
 * @throws CodedError `configuration_invalid` if a removed one is still used by what another owner has: its members would be
 * limited by nothing. What the same source has is described by the document that leaves the group out.
 */
export async function applyGroups(applying: Applying, actors: readonly AppliedActor[]): Promise<readonly Change[]> {
  const wanted = actors.flatMap(({ id, actor }) =>
    actor.groups.map((group) => ({ name: group.name, actorId: id, definition: { ...group, actor: actor.name } })),
  );
  const kind = {
    entityType: 'Group',
    table: 'user_groups',
    scoped: true,
    beforeRemoval: async (groups: readonly { readonly id: string }[]) => {
      const uses = await usesOf(
        applying,
        groups.map(({ id }) => id),
      );
      const [first] = uses;
      if (first !== undefined) refuseRemoval(first, uses);
    },
  } as const;
  return (await reconcileEntities(applying, kind, wanted)).changes;
}

/** A use of a group. */
interface GroupUse {
  readonly id: string;
  readonly name: string;
  readonly use: string;
}

/** What names the first of these groups that are used: users, clauses and rules. */
async function usesOf({ trx, source, only }: Applying, groupIds: readonly string[]): Promise<readonly GroupUse[]> {
  return queryRows<GroupUse>(
    trx,
    `WITH removed AS (SELECT * FROM directory.user_groups WHERE id = ANY (CAST(:groupIds AS bigint[])))
     SELECT DISTINCT used.id, used.name, used.use FROM (
       SELECT g.id, g.name, 'user ' || u.name AS use, u.source
         FROM directory.partner_users u JOIN removed g ON g.actor_id = u.actor_id AND g.name = ANY (u.groups)
       UNION ALL
       SELECT g.id, g.name, 'Connection Contract ' || k.name, k.source
         FROM directory.connection_contracts k
         JOIN directory.connection_clauses c ON c.connection_contract_id = k.id
         JOIN removed g ON g.actor_id = k.actor_id AND g.name = c.group_name
       UNION ALL
       SELECT g.id, g.name, 'VFS ' || v.name, v.source
         FROM directory.virtual_file_systems v
         JOIN directory.acl_rules r ON r.vfs_id = v.id
         JOIN removed g ON g.actor_id = v.actor_id AND r.grants @> jsonb_build_array(jsonb_build_object('group', g.name))
        WHERE v.retired_at IS NULL) used
      WHERE CAST(:except AS text) IS NULL OR used.source IS DISTINCT FROM CAST(:except AS text)
      ORDER BY used.id, used.use LIMIT :limit`,
    { groupIds: `{${groupIds.join(',')}}`, except: only ? null : source, limit: shownAtMost + 1 },
  );
}

function refuseRemoval({ id, name }: GroupUse, found: readonly GroupUse[]): never {
  const uses = found.filter((use) => use.id === id).map(({ use }) => use);
  const shown = [...uses.slice(0, shownAtMost), ...(uses.length > shownAtMost ? ['others'] : [])].join(', ');
  const remedy = 'Take the group out of these first, or disable it instead.';
  throw new CodedError('configuration_invalid', {
    detail: `Group ${name} cannot be removed: it is used by ${shown}. ${remedy}`,
  });
}
