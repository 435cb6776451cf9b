import type { AccessRule } from '@waybill/contracts/endpoints/administration/access-rule';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import type { PartnerUser } from '../users/partner-user.ts';
import { type ProtocolServer, serverTitle } from './protocol-servers.ts';

interface ContractRow {
  readonly name: string;
  readonly enabled: boolean;
  readonly cluster: string;
  readonly server: string;
}

/** Contracts that are named at most. */
const shownAtMost = 20;

/** Why no Connection Contract connects a user to a server: of each of the actor's, what is missing. */
export async function explainContracts(
  on: Queryable,
  { actorId, actorName, name, groups }: PartnerUser,
  server: ProtocolServer,
): Promise<AccessRule[]> {
  const contracts = await queryRows<ContractRow>(
    on,
    `SELECT name, enabled, cluster_name AS cluster, server_name AS server
       FROM directory.connection_contracts WHERE actor_id = :actorId ORDER BY name COLLATE "C" LIMIT :shownAtMost`,
    { actorId, shownAtMost },
  );
  const refusal = { rule: 'connection-contract', allows: false } as const;
  if (contracts.length === 0) {
    return [{ ...refusal, name: '', why: `Actor ${actorName} has no Connection Contract` }];
  }
  const whom = groups.length === 0 ? `user ${name}` : `user ${name} or the groups ${groups.join(', ')}`;
  return contracts.map((contract) => ({ ...refusal, name: contract.name, why: whyNot(contract, { server, whom }) }));
}

/** Groups of a user that have ended: what names them gives the user nothing. */
export function explainEndedGroups({ endedGroups, actorName }: PartnerUser): AccessRule[] {
  return endedGroups.map(({ name, why }) => ({
    rule: 'group',
    name,
    allows: false,
    why: `Group ${name} of actor ${actorName} ${why}: clauses and permissions that name it give its members nothing`,
  }));
}

function whyNot(
  { name, enabled, cluster, server: of }: ContractRow,
  { server, whom }: { readonly server: ProtocolServer; readonly whom: string },
): string {
  const title = `Connection Contract ${name}`;
  const own = serverTitle({ cluster, name: of });
  if (own !== serverTitle(server)) return `${title} is for the server ${own}`;
  return enabled ? `${title} has no clause for ${whom}` : `${title} is disabled`;
}
