import { join } from 'node:path';
import { expect } from 'vitest';
import type { Capability } from '../capability.ts';
import { hashTree } from '../local-files.ts';

const someBytes = new TextEncoder().encode('some bytes');

/** What is done to folders and names. */
export const folders: readonly Capability[] = [
  {
    title: 'rename',
    needs: ['rename'],
    run: async ({ server, remote, asClient }) => {
      await server.store(`${remote}/before the rename`, someBytes);
      await asClient((client) => client.rename(`${remote}/before the rename`, `${remote}/after`));
      expect(await server.namesIn(remote)).toEqual(['after']);
    },
  },
  {
    title: 'make a folder and those above it',
    needs: ['makeFolders'],
    run: async ({ server, remote, asClient }) => {
      await asClient((client) => client.makeFolders(`${remote}/a/b b/c`));
      expect(await server.namesIn(`${remote}/a/b b`)).toEqual(['c']);
    },
  },
  {
    title: 'mirror 1 000 files in 50 folders to the server',
    needs: ['mirrorUp'],
    run: async ({ server, remote, asClient }, { localTree, tree }) => {
      await asClient((client) => client.mirrorUp(localTree, `${remote}/tree`));
      const found: Record<string, string | undefined> = {};
      const paths = Object.keys(tree).values();
      const readOn = async () => {
        for (const path of paths) found[path] = await server.hashOf(`${remote}/tree/${path}`);
      };
      await Promise.all([readOn(), readOn(), readOn(), readOn()]);
      expect(found).toEqual(tree);
    },
  },
  {
    title: 'mirror 1 000 files in 50 folders from the server',
    needs: ['mirrorDown'],
    run: async ({ local, asClient }, { remoteTree, tree }) => {
      await asClient((client) => client.mirrorDown(remoteTree, join(local, 'tree')));
      expect(await hashTree(join(local, 'tree'))).toEqual(tree);
    },
  },
  {
    title: 'list 10 000 entries',
    needs: ['list'],
    run: async ({ asClient }, { largeFolder, largeFolderNames }) => {
      const listed = await asClient((client) => client.list(largeFolder));
      expect(listed.toSorted()).toEqual(largeFolderNames.toSorted());
    },
  },
  {
    title: 'delete a file',
    needs: ['removeFile'],
    run: async ({ server, remote, asClient }) => {
      await server.store(`${remote}/to go`, someBytes);
      await server.store(`${remote}/to stay`, someBytes);
      await asClient((client) => client.removeFile(`${remote}/to go`));
      expect(await server.namesIn(remote)).toEqual(['to stay']);
    },
  },
  {
    title: 'delete a folder with all that is in it',
    needs: ['removeTree'],
    run: async ({ server, remote, asClient }) => {
      for (const folder of ['tree', 'tree/below', 'tree/below/empty']) await server.makeFolder(`${remote}/${folder}`);
      for (const number of Array.from({ length: 30 }).keys()) {
        await server.store(`${remote}/tree/below/${number}`, someBytes);
      }
      await asClient((client) => client.removeTree(`${remote}/tree`));
      expect(await server.namesIn(remote)).toEqual([]);
    },
  },
];
