import type { ActorScope } from '@waybill/access/principal';
import type { AccessRule } from '@waybill/contracts/endpoints/administration/access-rule';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Permission } from '@waybill/contracts/values/permission';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import type { Location } from '../access/mounts.ts';
import { findPartnerUser } from '../queries/find-partner-user.ts';
import { loadStandings, type Standing } from '../standing/load-standings.ts';
import type { PartnerUser } from '../users/partner-user.ts';
import { explainAccount } from './account-rules.ts';
import { explainContracts, explainEndedGroups } from './contract-rules.ts';
import { explainLogin, explainNetworks, explainUser } from './login-rules.ts';
import { explainPath } from './path-rules.ts';
import { findServers, type ProtocolServer, serverTitle } from './protocol-servers.ts';

/** Whether a user may do something, over a protocol and from an address. */
export interface AccessQuestion {
  readonly user: UserName;
  readonly protocol: Protocol;
  readonly operation: Permission;
  readonly path: VirtualPath;
  readonly address?: string | undefined;
  readonly cluster?: string | undefined;
  readonly server?: string | undefined;
  /** The actors to which the caller is limited: users of others do not exist for the caller. */
  readonly actors?: ActorScope;
}

/** The decision, with the rules that led to it; only the last ones refuse. */
export interface ExplainedAccess {
  readonly allowed: boolean;
  /** The server that decides; absent if there is none, or the user is unknown to all of them. */
  readonly server: ProtocolServer | undefined;
  readonly rules: readonly AccessRule[];
}

/** What decides besides the configuration. */
export interface OtherRules {
  /** Whether the user has set a second factor up. */
  hasSecondFactor(user: UserName): Promise<boolean>;
  /** The ban of an address, or that it has none; nothing if it cannot be found out. */
  judgeAddress(address: string, question: AccessQuestion): Promise<readonly AccessRule[]>;
  /** The limits that refuse what the operation adds to a VFS. */
  judgeLimits(location: Location, operation: Permission): Promise<readonly AccessRule[]>;
}

/**
 * Asks what a server asks, in the same functions and in its order, and collects the rules until one refuses. It does not look at
 * what is at the path.
 * @throws CodedError `cluster_unknown`, `server_unknown` (not one of this protocol), `validation_failed` (the user reaches several
 * servers, and none is named)
 */
export async function explainAccess(
  on: Queryable,
  question: AccessQuestion,
  others: OtherRules,
): Promise<ExplainedAccess> {
  const servers = await findServers(on, question);
  const user = await findReachedUser(on, question);
  const ofUser = await explainUser(on, question, user);
  if (user === undefined || !isPassed(ofUser)) return refusedBy(servers.length === 1 ? servers[0] : undefined, ofUser);
  const ofLogin = [...explainLogin(user, question.protocol), ...explainNetworks(user, question.address)];
  if (isPassed(ofLogin)) {
    const { protocol } = question;
    ofLogin.push(...(await explainAccount(on, { user, protocol }, () => others.hasSecondFactor(user.name))));
  }
  if (!isPassed(ofLogin)) return refusedBy(servers.length === 1 ? servers[0] : undefined, [...ofUser, ...ofLogin]);
  const reached = await Promise.all(servers.map((server) => standingOn(on, user.id, server)));
  const { server, standing } = chosen(reached, question);
  const rules = [...ofUser, ...ofLogin, ...serverRules(server, question.protocol)];
  const { address } = question;
  if (address !== undefined && isPassed(rules)) rules.push(...(await others.judgeAddress(address, question)));
  if (!isPassed(rules) || server === undefined) return refusedBy(server, rules);
  if (standing === undefined || standing.mounts.mounts.length === 0) {
    return refusedBy(server, [...rules, ...(await explainContracts(on, user, server)), ...explainEndedGroups(user)]);
  }
  const { path, operation } = question;
  rules.push(...explainPath(standing.mounts, { path, operation }));
  const location = standing.mounts.locate(path);
  const isRefusedByGrants = rules.at(-1)?.rule === 'permission' || location === undefined;
  if (!isPassed(rules) && isRefusedByGrants) rules.push(...explainEndedGroups(user));
  if (location !== undefined && isPassed(rules)) rules.push(...(await others.judgeLimits(location, operation)));
  return { allowed: isPassed(rules), server, rules };
}

async function findReachedUser(
  on: Queryable,
  { user: name, actors }: AccessQuestion,
): Promise<PartnerUser | undefined> {
  const user = await findPartnerUser(on, name);
  return user && (actors === undefined || actors.includes(user.actorName)) ? user : undefined;
}

interface Reached {
  readonly server: ProtocolServer | undefined;
  readonly standing: Standing | undefined;
}

async function standingOn(on: Queryable, userId: string, server: ProtocolServer): Promise<Reached> {
  const place = { cluster: server.cluster, server: server.name };
  return { server, standing: (await loadStandings(on, [userId], place)).get(userId) };
}

/** The server that the user reaches; the first one if the user reaches none. */
function chosen(reached: readonly Reached[], { protocol, user }: AccessQuestion): Reached {
  const connected = reached.filter(({ standing }) => (standing?.mounts.mounts.length ?? 0) > 0);
  if (connected.length > 1) {
    const titles = connected.map(({ server }) => server && serverTitle(server)).join(', ');
    const message = `is needed: ${user} reaches several servers over ${protocol}: ${titles}`;
    throw new CodedError('validation_failed', {
      detail: `server ${message}`,
      fields: [{ field: 'server', message }],
    });
  }
  return connected[0] ?? reached[0] ?? { server: undefined, standing: undefined };
}

function serverRules(server: ProtocolServer | undefined, protocol: Protocol): AccessRule[] {
  if (server === undefined) {
    return [{ rule: 'server', name: protocol, allows: false, why: `No cluster has a server for ${protocol}` }];
  }
  const name = serverTitle(server);
  return [{ rule: 'server', name, allows: true, why: `The server ${name} speaks ${protocol}` }];
}

function isPassed(rules: readonly AccessRule[]): boolean {
  return rules.every(({ allows }) => allows);
}

function refusedBy(server: ProtocolServer | undefined, rules: readonly AccessRule[]): ExplainedAccess {
  return { allowed: false, server, rules };
}
