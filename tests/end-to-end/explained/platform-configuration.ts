import { siteConfiguration, connectToServers } from '../site-configuration.ts';
import { commonGroups, type Mounted, type Policy, preparer } from './policies.ts';
import type { Question } from './questions.ts';

/** How many more files and folders than are prepared fit into a file system with such a limit. */
const room = 3;

/** Folders that every file system has. */
const madeFolders = 4;

/** A platform with these policies, as a configuration file: all users are of one actor. */
export function configurationOf(policies: readonly Policy[], questions: readonly Question[]): string {
  const mounts = policies.flatMap((policy) => policy.mounts);
  const people = [preparer, 'somebody-else'].map((name) => ({ name, password: name, groups: ['g1', 'g2'] }));
  return JSON.stringify({
    ...siteConfiguration,
    actors: [
      {
        name: 'actor',
        type: 'Partner',
        users: [...people, ...policies.flatMap(({ user }) => (user === undefined ? [] : [user]))],
        groups: [...commonGroups, ...policies.flatMap(({ groups }) => groups)],
        virtualFileSystems: mounts.map((mount) => ({ ...mount.system, ...limitsOf(mount, questions) })),
        connectionContracts: [
          ...connectToServers(mounts.map(({ vfs }) => ({ user: preparer, vfs, mountPath: `/${vfs}` }))),
          ...policies.flatMap(({ connectionContracts }) => connectionContracts),
        ],
      },
    ],
  });
}

/** The files that are prepared, by the paths of the preparer: those that its rules let it store. */
export function preparedFiles(policies: readonly Policy[], questions: readonly Question[]): string[] {
  const mounts = policies.flatMap((policy) => policy.mounts);
  return mounts.flatMap((mount) => filesOf(mount, questions).map((path) => `/${mount.vfs}${path}`));
}

function filesOf({ vfs, ruled }: Mounted, questions: readonly Question[]): string[] {
  const paths = questions.flatMap(({ prepared }) => (prepared?.vfs === vfs ? [prepared.path] : []));
  const isCovered = (path: string) =>
    ruled === undefined || ruled.some((rule) => rule === '/' || path === rule || path.startsWith(`${rule}/`));
  return [...new Set(paths)].filter(isCovered);
}

function limitsOf(mount: Mounted, questions: readonly Question[]) {
  if (mount.limit === undefined) return {};
  const limits = { files: filesOf(mount, questions).length + room, folders: madeFolders + room, depth: 2 };
  return { limits: { [mount.limit]: limits[mount.limit] } };
}
