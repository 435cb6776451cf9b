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
  /** Servers whose Connection Contracts have it. */
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
  readonly mounts: readonly Mounted[];
  readonly connectionContracts: readonly object[];
}

const placesOfMounts = [['/'], ['/m'], ['/', '/m'], ['/m/n', '/m'], ['/', '/a'], ['/x/y', '/z']] as const;

/** How a user logs in, or does not. `keyLine` is the only key. */
function loginOf(choices: Choices, keyLine: string) {
  const authentication = choices.one(['password', 'either', 'either', 'either', 'either', 'either', 'key', 'both']);
  return { authentication, ...(choices.often(60) && { publicKeys: [keyLine] }) };
}

/** A user with up to two file systems, their rules, and a Connection Contract for each server. */
export function policyOf(choices: Choices, name: string, keyLine: string): Policy {
  const own = `of-${name}`;
  const groups = [...choices.some(['g1', 'g2'], 50), own];
  const places: readonly string[] = choices.one(placesOfMounts);
  const mounts = places.map((mountPath, index) => mountedAt(choices, { name, vfs: `${name}-${index}`, mountPath }));
  return {
    name,
    freezes: choices.often(4),
    user: { name, password: name, groups, enabled: choices.often(96), ...loginOf(choices, keyLine) },
    mounts,
    connectionContracts: Object.values(servers).flatMap((server) => {
      const clauses = mounts
        .filter((mount) => mount.servers.includes(server))
        .map(({ vfs, mountPath }) => ({ ...(choices.often(40) ? { group: own } : { user: name }), vfs, mountPath }));
      const contract = { name: `${name}-${server}`, cluster: 'cluster1', server, enabled: choices.often(92), clauses };
      return clauses.length === 0 ? [] : [contract];
    }),
  };
}

function mountedAt(
  choices: Choices,
  { name, vfs, mountPath }: { readonly name: string; readonly vfs: string; readonly mountPath: string },
): Mounted {
  const acl = choices.often(85) ? rulesFor(choices, name) : undefined;
  return {
    vfs,
    mountPath,
    servers: Object.values(servers).filter(() => choices.often(90)),
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
      const others = choices.one([[], [name], [name], [name], [name], ['g1'], [name, 'g2'], ['somebody-else']]);
      const grants = others.map((whom) => {
        const permissions = choices.some(allPermissions, 75);
        return whom.startsWith('g') ? { group: whom, permissions } : { user: whom, permissions };
      });
      return { path, grants: [...grants, everything(preparer)] };
    });
  return [...chosen, { path: '/spare', grants: [everything(name), everything(preparer)] }];
}
