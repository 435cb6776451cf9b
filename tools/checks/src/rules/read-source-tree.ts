import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { SourceFile } from './source-file.ts';

const foldersLeftOut = new Set(['node_modules', '.git', '.turbo', '.waybill', '.tools', 'coverage', 'dist']);

/** Reads every file under `root`, except installed, built and runtime files; sorted by path. Binary files have no text. */
export async function readSourceTree(root: string): Promise<SourceFile[]> {
  const paths = await listFiles(root);
  const files = await Promise.all(paths.map((path) => readSource(root, path)));
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && !foldersLeftOut.has(entry.name));
  const files = entries.filter((entry) => entry.isFile() && entry.name !== '.git' && !entry.name.endsWith('.log'));
  const nested = await Promise.all(folders.map(({ name }) => listFiles(join(folder, name))));
  return [...files.map(({ name }) => join(folder, name)), ...nested.flat()];
}

async function readSource(root: string, path: string): Promise<SourceFile> {
  const bytes = await readFile(path);
  return { path: relative(root, path).replaceAll('\\', '/'), text: bytes.includes(0) ? '' : bytes.toString('utf8') };
}
