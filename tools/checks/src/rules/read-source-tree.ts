import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { SourceFile } from './source-file.ts';

const foldersLeftOut = new Set(['node_modules', '.git', '.turbo', '.waybill', '.tools', 'coverage', 'dist']);

/** Reads every text file under `root`, except installed, built and runtime files; sorted by path. */
export async function readSourceTree(root: string): Promise<SourceFile[]> {
  const paths = await listFiles(root);
  const files = await Promise.all(paths.map((path) => readText(root, path)));
  return files.filter((file) => file !== undefined).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && !foldersLeftOut.has(entry.name));
  const files = entries.filter((entry) => entry.isFile() && entry.name !== '.git' && !entry.name.endsWith('.log'));
  const nested = await Promise.all(folders.map(({ name }) => listFiles(join(folder, name))));
  return [...files.map(({ name }) => join(folder, name)), ...nested.flat()];
}

async function readText(root: string, path: string): Promise<SourceFile | undefined> {
  const bytes = await readFile(path);
  if (bytes.includes(0)) return undefined;
  return { path: relative(root, path).replaceAll('\\', '/'), text: bytes.toString('utf8') };
}
