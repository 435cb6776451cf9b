import type { Permission } from '@waybill/contracts/values/permission';
import { rootPath, virtualPathOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { describe, expect, it } from 'vitest';
import { createMounts, type RuledMount } from './mounts.ts';

const path = (text: string): VirtualPath => virtualPathOf(text.split('/').filter((name) => name !== ''));

function mount(id: string, mountPath: string, acl?: RuledMount['acl']): RuledMount {
  const vfs = { id, name: `vfs-${id}`, aclEnabled: acl !== undefined };
  return { vfs, mountPath: path(mountPath), connectionContract: 'sftp', acl };
}

const user = { name: 'acme', groups: [] };

describe('mounts', () => {
  it('find a path in the nearest VFS above it, as a path inside that VFS', () => {
    const mounts = createMounts(user, [
      mount('1', '/'),
      mount('2', '/partners/globex'),
      mount('3', '/partners/globex/old'),
    ]);
    const where = (text: string) => {
      const location = mounts.locate(path(text));
      return location && `${location.vfs.id}:${location.path}`;
    };
    expect(where('/')).toBe('1:/');
    expect(where('/partners/a.csv')).toBe('1:/partners/a.csv');
    expect(where('/partners/globex')).toBe('2:/');
    expect(where('/partners/globex/in/a.csv')).toBe('2:/in/a.csv');
    expect(where('/partners/globex/old/a.csv')).toBe('3:/a.csv');
    expect(where('/partners/globex2')).toBe('1:/partners/globex2');
  });

  it('list where a permission is granted, parents first', () => {
    const acl = [{ path: path('/in'), grants: [{ user: 'acme', permissions: ['upload' as const] }] }];
    const mounts = createMounts(user, [mount('2', '/z'), mount('1', '/ruled', acl)]);
    expect(mounts.permittedPaths('upload')).toEqual(['/ruled/in', '/z']);
    expect(mounts.permittedPaths('delete')).toEqual([]);
    expect(createMounts(user, []).permittedPaths('upload')).toEqual([]);
  });

  it('show the folders on the way to a mount, and allow nothing but to list them', () => {
    const mounts = createMounts(user, [mount('1', '/b/data'), mount('2', '/a'), mount('3', '/b/logs')]);
    expect(mounts.mountedNames(rootPath)).toEqual(['a', 'b']);
    expect(mounts.mountedNames(path('/b'))).toEqual(['data', 'logs']);
    expect(mounts.mountedNames(path('/b/data'))).toEqual([]);
    expect(mounts.locate(path('/b'))).toBeUndefined();
    expect(mounts.decide(path('/b'), 'list')).toMatchObject({ allowed: true, why: '/b leads to a mount' });
    for (const permission of ['upload', 'delete', 'rename', 'createFolder', 'download'] as const) {
      expect(mounts.decide(path('/b'), permission).allowed).toBe(false);
    }
    expect(mounts.decide(path('/c'), 'list')).toMatchObject({ allowed: false, why: 'Nothing is mounted on /c' });
  });

  it('ask the rules of the VFS with the path inside it', () => {
    const acl = [{ path: path('/in'), grants: [{ user: 'acme', permissions: ['upload'] as const }] }];
    const mounts = createMounts(user, [mount('1', '/acme', acl)]);
    expect(mounts.decide(path('/acme/in/a.csv'), 'upload').allowed).toBe(true);
    expect(mounts.decide(path('/acme/in/a.csv'), 'delete').allowed).toBe(false);
    expect(mounts.decide(path('/in/a.csv'), 'upload').allowed).toBe(false);
  });

  it('stay where they are: what holds a mount is neither deleted nor renamed', () => {
    const mounts = createMounts(user, [mount('1', '/'), mount('2', '/partners/globex')]);
    for (const held of ['/', '/partners', '/partners/globex']) {
      expect(mounts.decide(path(held), 'delete').allowed).toBe(false);
      expect(mounts.decide(path(held), 'rename').allowed).toBe(false);
    }
    expect(mounts.decide(path('/partners/other'), 'delete').allowed).toBe(true);
  });

  it('allow throughout what no rule below speaks against, and no mount', () => {
    const grants = [{ user: 'acme', permissions: ['rename'] as const }];
    const acl = [
      { path: rootPath, grants },
      { path: path('/a/b/closed'), grants: [] },
      { path: path('/c/d'), grants },
    ];
    const mounts = createMounts(user, [mount('1', '/x', acl), mount('2', '/x/e/f')]);
    expect(mounts.decide(path('/x/a'), 'rename').allowed).toBe(true);
    expect(mounts.decideThroughout(path('/x/a'), 'rename').allowed).toBe(false);
    expect(mounts.decideThroughout(path('/x/a/b/closed/deeper'), 'rename').allowed).toBe(false);
    expect(mounts.decideThroughout(path('/x/c'), 'rename').allowed).toBe(true);
    expect(mounts.decideThroughout(path('/x/e'), 'rename').allowed).toBe(false);
  });

  it('hide exactly the names for which rules leave a user no permission', () => {
    const ruled = (place: string, ...permissions: Permission[]) => ({
      path: path(place),
      grants: [{ user: 'acme', permissions }],
    });
    const acl = [
      ruled('/', 'list'),
      ruled('/closed'),
      { path: path('/foreign'), grants: [{ user: 'globex', permissions: ['list' as const] }] },
      ruled('/drop', 'upload'),
      ruled('/mounted'),
      ruled('/open/closed'),
    ];
    const mounts = createMounts(user, [mount('1', '/x', acl), mount('2', '/x/mounted')]);
    expect(mounts.hiddenNames(path('/x'))).toEqual(['closed', 'foreign']);
    expect(mounts.hiddenNames(path('/x/open'))).toEqual(['closed']);
    for (const free of ['/', '/x/closed', '/x/mounted', '/x/drop']) expect(mounts.hiddenNames(path(free))).toEqual([]);
  });

  it('report rules that apply to a path but not to its neighbours', () => {
    const acl = ['/', '/in/own', '/in/deep/er'].map((ruled) => ({ path: path(ruled), grants: [] }));
    const mounts = createMounts(user, [mount('1', '/x', acl)]);
    expect(['/x/in/own', '/x/in/deep', '/x/in'].map((ruled) => mounts.hasOwnRules(path(ruled)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['/x/in/other', '/x/in/own/sub', '/in/own'].map((free) => mounts.hasOwnRules(path(free)))).toEqual([
      false,
      false,
      false,
    ]);
  });
});
