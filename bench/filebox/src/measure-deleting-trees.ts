import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { fillTree, type TreeShape } from './fill-tree.ts';
import { openBenchFilebox, origin, vfsId } from './open-bench-filebox.ts';

/* Trees of 200 000 entries, each deleted with one call: files in many folders, files in one, and only folders. */
const shapes: readonly TreeShape[] = [
  { folders: 1_000, filesEach: 200 },
  { folders: 1, filesEach: 200_000 },
  { folders: 200_000, filesEach: 0 },
];
const path = parseVirtualPath('/tree');

await using bench = await openBenchFilebox();

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

for (const shape of shapes) {
  await bench.filebox.ensureFolders(vfsId, [path]);
  await fillTree(bench.db, 'tree', shape);
  const [residentBefore, usedBefore, startedAt] = [process.memoryUsage.rss(), process.cpuUsage(), performance.now()];
  let resident = residentBefore;
  const sampler = setInterval(() => (resident = Math.max(resident, process.memoryUsage.rss())), 5);
  await bench.filebox.deleteFolder(vfsId, path, { origin, recursive: true });
  const seconds = (performance.now() - startedAt) / 1_000;
  const used = process.cpuUsage(usedBefore);
  clearInterval(sampler);
  console.log(
    `${shape.folders} folders of ${shape.filesEach} files: ${seconds.toFixed(2)} s, ` +
      `${((used.user + used.system) / 1e6).toFixed(2)} s of processor time in this process, ` +
      `its memory ${mebibytes(residentBefore)} MiB before and ${mebibytes(resident)} MiB at most`,
  );
}
