import { allPermissions } from '@waybill/contracts/values/permission';
import { connectToServers, siteConfiguration } from '../site-configuration.ts';
import { testUsers, type TestUser } from './situations.ts';

/** The password of a user. */
export function passwordOf(userName: string): string {
  return `password of ${userName}`;
}

/** Who prepares all situations: reaches the files of every user, in a folder of the user's name. */
export const preparer = 'preparer';

/** A platform on which each user sees files with one set of permissions, as a configuration file. */
export function platformConfiguration(): string {
  return JSON.stringify({
    ...siteConfiguration,
    actors: [
      {
        name: 'actor',
        type: 'Partner',
        users: [preparer, ...testUsers.map(({ name }) => name)].map((name) => ({ name, password: passwordOf(name) })),
        virtualFileSystems: [{ name: 'mounted-files' }, ...testUsers.map(filesOf)],
        connectionContracts: connectToServers(testUsers.flatMap(clausesOf)),
      },
    ],
  });
}

function filesOf({ name, inPlace, above }: TestUser) {
  const rule = (path: string, permissions: readonly string[]) => ({
    path,
    grants: [
      { user: name, permissions },
      { user: preparer, permissions: allPermissions },
    ],
  });
  return {
    name,
    folders: ['/place', '/spare'],
    acl: [
      rule('/', above),
      rule('/place', inPlace),
      rule('/place/hidden-file', []),
      rule('/place/hidden-folder', []),
      rule('/place/hidden-nothing', []),
      rule('/spare', allPermissions),
    ],
  };
}

function clausesOf({ name }: TestUser) {
  return [
    { user: name, vfs: name, mountPath: '/vfs' },
    { user: name, vfs: 'mounted-files', mountPath: '/vfs/mounted' },
    { user: name, vfs: 'mounted-files', mountPath: '/way/to/mounted' },
    { user: name, vfs: 'mounted-files', mountPath: '/vfs/inner/mounted' },
    { user: preparer, vfs: name, mountPath: `/${name}` },
  ];
}
