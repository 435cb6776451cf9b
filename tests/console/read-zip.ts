import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';

/** The files of a zip archive by their paths, sorted, as another program extracts them. */
export async function readZip(archive: string): Promise<ReadonlyMap<string, Buffer>> {
  await using folder = await createTestFolder();
  await promisify(execFile)('python3', ['-m', 'zipfile', '-e', archive, folder.path]);
  const found = await readdir(folder.path, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = files.toSorted().map(async (file) => [relative(folder.path, file), await readFile(file)] as const);
  return new Map(await Promise.all(contents));
}
