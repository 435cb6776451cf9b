import { joinVirtualPath, parseVirtualPath, rootPath } from '@waybill/contracts/values/virtual-path';
import { acme, type TestFilebox, vfsId } from './open-test-filebox.ts';

/**
 * Stores a file below two deep towers of folders, `/base` and `/moved`, and moves one onto the other: its path is then
 * too long.
 */
export async function openDeepFile({ filebox, put }: TestFilebox, name: string): Promise<void> {
  const towerOf = (foot: string) =>
    joinVirtualPath(rootPath, foot, ...Array.from({ length: 10 }, (_, index) => String(index).repeat(250)));
  const [base, moved] = [towerOf('base'), towerOf('moved')];
  await filebox.ensureFolders(vfsId, [base, moved]);
  await put(joinVirtualPath(moved, name), 'deep');
  await filebox.rename(vfsId, parseVirtualPath('/moved'), joinVirtualPath(base, 'moved'), {
    origin: acme,
    overwrite: false,
  });
}
