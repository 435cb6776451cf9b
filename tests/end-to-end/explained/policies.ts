import { allPermissions } from '@waybill/contracts/values/permission';
import type { Choices } from './choices.ts';

/** Who prepares all files: reaches every file system, in a folder of its name, with all permissions. */
export const preparer = 'preparer';

/** The folders of every file system, beside `/spare`, where the user may do everything. */
export const folders = ['/', '/a', '/a/b', '/c'] as const;

/** A folder of a file system. */
export type Folder = (typeof folders)[number];

/** A file that has a rule of its own in some file systems. */
export const specialFile = '/a/special';

/** A file system of a user, and where the user has it. */
export interface Mounted {
  readonly vfs: string;
  readonly mountPath: string;
  /** Servers whose Connection Contracts have it, for the user or for its group. */
  readonly connections: readonly { readonly server: Server; readonly isForGroup: boolean }[];
  /** The servers through which the user reaches it: not those where its group gives nothing. */
  readonly servers: readonly Server[];
  /** Paths with rules; undefined without ACLs. */
  readonly ruled: readonly string[] | undefined;
  /** Its entry in the configuration, without limits. */
  readonly system: object;
  readonly limit: 'files' | 'folders' | 'depth' | undefined;
}

/** The names of the servers, by the protocols. */
export const servers = { SFTP: 'sftp-server', HTTP: 'http-server' } as const;

type Server = (typeof servers)[keyof typeof servers];

/** What is configured for one user. */
export interface Policy {
  readonly name: string;
  readonly freezes: boolean;
  /** Its entry in the configuration; undefined for names that are no user of an actor. */
  readonly user: object | undefined;
  /** The settings of the groups of the user that have settings. */
  readonly groups: readonly object[];
  readonly mounts: readonly Mounted[];
  readonly connectionContracts: readonly object[];
}

const placesOfMounts: readonly [string[], ...string[][]] = [
  ['/'],
  ['/m'],
  ['/', '/m'],
  ['/m/n', '/m'],
  ['/', '/a'],
  ['/x/y', '/z'],
];

/** How a user logs in, or does not. `keyLine` is the only key. */
function loginOf(choices: Choices, keyLine: string) {
  const authentication = choices.one(['password', 'either', 'either', 'either', 'either', 'either', 'key', 'both']);
  return {
    authentication,
    ...(choices.often(60) && { publicKeys: [keyLine] }),
    ...(choices.often(8) && { passwordChangeRequired: true }),
  };
}

interface GroupSettings extends ReturnType<typeof limitsOf> {
  readonly enabled: boolean;
}

/** From where and until when a user may log in: mostly so that the test may. */
function limitsOf(choices: Choices) {
  const networks = choices.one([['127.0.0.0/8', '::1'], ['127.0.0.1'], ['::ffff:127.0.0.0/104'], ['10.0.0.0/8']]);
  const expires = choices.one(['2999-12-31', '2999-12-31', '2999-12-31', '2001-01-01']);
  return { ...(choices.often(30) && { networks }), ...(choices.often(20) && { expires }) };
}

/** Whether a group gives its members anything who come from this machine. */
function givesAnything({ enabled, networks, expires }: GroupSettings): boolean {
  return enabled && networks?.includes('10.0.0.0/8') !== true && expires !== '2001-01-01';
}

/** Groups of many users: one without settings, one that has them, and one that has ended. */
export const commonGroups = [
  { name: 'g2', description: 'Two' },
  { name: 'g3', enabled: false },
] as const;

/** A user with up to two file systems, their rules, and a Connection Contract for each server. */
export function policyOf(choices: Choices, name: string, keyLine: string): Policy {
  const own = `of-${name}`;
  const groups = [...choices.some(['g1', 'g2', 'g3'], 50), own];
  const settings = choices.often(60) ? { enabled: choices.often(80), ...limitsOf(choices) } : undefined;
  const isGroupOfUse = settings === undefined || givesAnything(settings);
  const places = choices.one(placesOfMounts);
  const mounts = places.map((mountPath, index) =>
    mountedAt(choices, { name, vfs: `${name}-${index}`, mountPath, isGroupOfUse }),
  );
  return {
    name,
    freezes: choices.often(4),
    user: {
      name,
      password: name,
      groups,
      enabled: choices.often(96),
      ...limitsOf(choices),
      ...loginOf(choices, keyLine),
    },
    groups: settings === undefined ? [] : [{ name: own, ...settings }],
    mounts,
    connectionContracts: Object.values(servers).flatMap((server) => {
      const clauses = mounts.flatMap(({ vfs, mountPath, connections }) =>
        connections
          .filter((connection) => connection.server === server)
          .map(({ isForGroup }) => ({ ...(isForGroup ? { group: own } : { user: name }), vfs, mountPath })),
      );
      const contract = { name: `${name}-${server}`, cluster: 'cluster1', server, enabled: choices.often(92), clauses };
      return clauses.length === 0 ? [] : [contract];
    }),
  };
}

function mountedAt(
  choices: Choices,
  {
    name,
    vfs,
    mountPath,
    isGroupOfUse,
  }: { readonly name: string; readonly vfs: string; readonly mountPath: string; readonly isGroupOfUse: boolean },
): Mounted {
  const acl = choices.often(85) ? rulesFor(choices, name) : undefined;
  const connections = Object.values(servers)
    .filter(() => choices.often(90))
    .map((server) => ({ server, isForGroup: choices.often(40) }));
  return {
    vfs,
    mountPath,
    connections,
    servers: connections.filter(({ isForGroup }) => isGroupOfUse || !isForGroup).map(({ server }) => server),
    ruled: acl?.map(({ path }) => path),
    limit: choices.one(['files', 'folders', 'depth', undefined, undefined]),
    system: { name: vfs, folders: ['/a/b', '/c', '/spare'], ...(acl && { acl }) },
  };
}

function rulesFor(choices: Choices, name: string) {
  const everything = (user: string) => ({ user, permissions: allPermissions });
  const chosen = [...folders, specialFile]
    .filter(() => choices.often(70))
    .map((path) => {
      const others = choices.one([[], [name], [name], [name], [name], ['g1'], [name, 'g2'], ['g3'], ['somebody-else']]);
      const grants = others.map((whom) => {
        const permissions = choices.some(allPermissions, 75);
        return whom.startsWith('g') ? { group: whom, permissions } : { user: whom, permissions };
      });
      return { path, grants: [...grants, everything(preparer)] };
    });
  return [...chosen, { path: '/spare', grants: [everything(name), everything(preparer)] }];
}
