import type { ExpectedAccess } from '@waybill/contracts/configuration/access-test';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Protocol } from '@waybill/contracts/values/protocol';
import { joinVirtualPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { decideOperation } from '../access/decide-operation.ts';
import type { Mounts } from '../access/mounts.ts';
import { explainContracts } from '../explain/contract-rules.ts';
import { explainNetworks } from '../explain/login-rules.ts';
import { explainPath } from '../explain/path-rules.ts';
import { findServers, type ProtocolServer, serverTitle } from '../explain/protocol-servers.ts';
import { queryRows } from '../queries/query-rows.ts';
import { loadStandings, type Standing } from '../standing/load-standings.ts';

/** Why a sentence does not hold; undefined if it does. */
export type JudgeExpectedAccess = (expected: ExpectedAccess) => Promise<string | undefined>;

interface UserRow {
  readonly id: string;
  readonly name: string;
  /** By the configuration: a frozen user is enabled. */
  readonly enabled: boolean;
}

interface ReachedServer {
  readonly protocol: Protocol;
  readonly server: ProtocolServer;
  /** By the ids of users. */
  readonly standings: ReadonlyMap<string, Standing>;
}

/** A test is about what the configuration says, and does not begin to fail some day: nothing has expired. */
const beforeExpiries = 0;

/** Users in one statement at most. */
const usersAtOnce = 200;

/** Judges sentences about these users, in the functions by which the servers decide. */
export async function createAccessJudge(on: Queryable, userNames: readonly string[]): Promise<JudgeExpectedAccess> {
  const rows = await queryRows<UserRow>(
    on,
    `SELECT id, name, enabled FROM directory.partner_users
      WHERE name IN (SELECT jsonb_array_elements_text(CAST(:names AS jsonb)))`,
    { names: JSON.stringify([...new Set(userNames)]) },
  );
  const users = new Map(rows.map((user) => [user.name, user]));
  const ids = rows.map(({ id }) => id);
  const servers = await Promise.all(
    (['SFTP', 'HTTP'] as const).map(async (protocol) => {
      const ofProtocol = await findServers(on, { protocol });
      return ofProtocol.map((server) => ({ protocol, server }));
    }),
  );
  const reached: ReachedServer[] = [];
  for (const { protocol, server } of servers.flat()) {
    reached.push({ protocol, server, standings: await loadAll(on, ids, server) });
  }
  return async (expected) => {
    const user = users.get(expected.user);
    if (user === undefined) return `there is no user ${expected.user} of an actor`;
    if (!user.enabled) return expected.allowed ? `user ${expected.user} is disabled` : undefined;
    const places = reached.flatMap(({ protocol, server, standings }) => {
      const standing = standings.get(user.id);
      const isMeant = expected.protocol === undefined || expected.protocol === protocol;
      return isMeant && standing !== undefined ? [{ server, standing }] : [];
    });
    const broken = await Promise.all(places.map((place) => whyBroken(on, expected, place)));
    const reasons = broken.filter((reason) => reason !== undefined);
    // It is enough to be allowed on one server, and not to be allowed on any.
    if (expected.allowed && reasons.length < broken.length) return undefined;
    return reasons[0] ?? (expected.allowed ? 'no cluster has such a server' : undefined);
  };
}

async function loadAll(
  on: Queryable,
  ids: readonly string[],
  { cluster, name: server }: ProtocolServer,
): Promise<ReadonlyMap<string, Standing>> {
  const standings = new Map<string, Standing>();
  for (let from = 0; from < ids.length; from += usersAtOnce) {
    const page = await loadStandings(on, ids.slice(from, from + usersAtOnce), { cluster, server }, beforeExpiries);
    for (const [id, standing] of page) standings.set(id, standing);
  }
  return standings;
}

/** The first place at which a server decides otherwise, with the rules that decide there. */
async function whyBroken(
  on: Queryable,
  { allowed, operation, path, below, address }: ExpectedAccess,
  { server, standing: { user, mounts } }: { readonly server: ProtocolServer; readonly standing: Standing },
): Promise<string | undefined> {
  const title = serverTitle(server);
  const ofNetworks = address === undefined ? [] : explainNetworks(user, address);
  const refusals = ofNetworks.filter(({ allows }) => !allows);
  if (refusals.length > 0) return allowed ? refusals.map(({ why }) => why).join('; ') : undefined;
  const tell = (where: VirtualPath, rules: readonly { readonly why: string }[]) =>
    `on ${title}, at ${where}: ${[...ofNetworks, ...rules].map(({ why }) => why).join('; ')}`;
  if (mounts.mounts.length === 0) {
    return allowed ? tell(path, await explainContracts(on, user, server)) : undefined;
  }
  const places = below ? placesBelow(mounts, path) : [path];
  const wrong = places.find((place) => decideOperation(mounts, place, operation).allowed !== allowed);
  return wrong && tell(wrong, explainPath(mounts, { path: wrong, operation }));
}

/** One path for each way in which what is below a folder can be decided: something new in it, and in each place with other rules. */
function placesBelow(mounts: Mounts, folder: VirtualPath): VirtualPath[] {
  const ruled = mounts.placesBelow(folder);
  const known = new Set<string>(ruled);
  return [folder, ...ruled].map((place) => {
    for (let number = 1; ; number += 1) {
      const inside = insideOf(place, number === 1 ? 'any' : `any-${number}`);
      if (inside === place || !known.has(inside)) return inside;
    }
  });
}

/** A name in a folder, or the folder if its path has no room for a name. */
function insideOf(folder: VirtualPath, name: string): VirtualPath {
  try {
    return joinVirtualPath(folder, name);
  } catch (error) {
    if (isCodedError(error, 'path_invalid')) return folder;
    throw error;
  }
}
