import type { ActorScope } from '@waybill/access/principal';
import type { listUserFreezesEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-user-freezes';
import type { findUserFreezeEndpoint } from '@waybill/contracts/endpoints/users/find-user-freeze';
import type { freezeUserEndpoint } from '@waybill/contracts/endpoints/users/freeze-user';
import type { thawUserEndpoint } from '@waybill/contracts/endpoints/users/thaw-user';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Directory } from '@waybill/directory/directory';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { LoginBans } from '@waybill/login-throttle/login-ban';
import { freezeUser, type UserFreezes } from '../domain/sessions/freeze-user.ts';
import { type HttpSessions, narrowed } from '../domain/sessions/http-sessions.ts';
import type { SessionAudit } from '../domain/sessions/session-audit.ts';
import type { SessionRegistry } from '../domain/sessions/session-registry.ts';
import type { SessionTerminator } from '../domain/sessions/session-terminator.ts';

/** What freezing needs. */
export interface UserFreezePorts {
  readonly users: Pick<Directory, 'findPartnerUser'>;
  readonly freezes: UserFreezes;
  readonly registry: SessionRegistry;
  readonly terminator: SessionTerminator;
  readonly httpSessions: HttpSessions;
  readonly bans: Pick<LoginBans, 'liftOfUser'>;
  readonly audit: Pick<SessionAudit, 'banLifted'>;
}

/** Returns whether a user is frozen. */
export function createFindUserFreezeHandler(ports: UserFreezePorts): EndpointHandler<typeof findUserFreezeEndpoint> {
  return async ({ params: { userName }, actors }) => {
    await requireUser(ports, userName, actors);
    return present(ports, userName);
  };
}

/** Lists the frozen users of the actors that the caller may see. */
export function createListUserFreezesHandler({
  freezes,
}: Pick<UserFreezePorts, 'freezes'>): EndpointHandler<typeof listUserFreezesEndpoint> {
  return async ({ query: { actor, maxItem: limit }, actors }) => {
    const found = await freezes.list({ actors: narrowed(actors, actor), limit });
    const listed = found.freezes.map(({ userName, actor: ofActor, frozenAt, frozenBy, reason }) => ({
      userName,
      actor: ofActor,
      frozenAt: frozenAt.toISOString(),
      frozenBy,
      reason,
    }));
    return { status: 200, body: { totalCount: found.total, freezes: listed } };
  };
}

/** Freezes a user. */
export function createFreezeUserHandler(ports: UserFreezePorts): EndpointHandler<typeof freezeUserEndpoint> {
  return async ({ params: { userName }, query: { reason }, principal, actors }) => {
    await requireUser(ports, userName, actors);
    await freezeUser(ports, { userName, by: principal.userName, reason });
    return present(ports, userName);
  };
}

/** Thaws a user. */
export function createThawUserHandler(ports: UserFreezePorts): EndpointHandler<typeof thawUserEndpoint> {
  const { freezes, bans, audit } = ports;
  return async ({ params: { userName }, principal, actors }) => {
    // A user who was removed from the configuration can be thawed too.
    const isKnown = actors === undefined && (await freezes.find(userName)) !== undefined;
    if (!isKnown) await requireUser(ports, userName, actors);
    await freezes.thaw(userName, principal.userName);
    // A program that kept trying while its user was frozen was banned for it.
    for (const ban of await bans.liftOfUser(userName)) await audit.banLifted(ban, principal.userName);
    return present(ports, userName);
  };
}

async function requireUser(
  { users }: Pick<UserFreezePorts, 'users'>,
  userName: UserName,
  actors: ActorScope,
): Promise<void> {
  const user = await users.findPartnerUser(userName);
  if (user !== undefined && (actors === undefined || actors.includes(user.actorName))) return;
  throw new CodedError('user_unknown', { detail: `There is no user '${userName}'` });
}

async function present({ freezes }: Pick<UserFreezePorts, 'freezes'>, userName: UserName) {
  const found = await freezes.find(userName);
  const frozenAt = found?.frozenAt.toISOString() ?? null;
  const body = {
    userName,
    frozen: found !== undefined,
    frozenAt,
    frozenBy: found?.frozenBy ?? null,
    reason: found?.reason ?? null,
  };
  return { status: 200, body } as const;
}
