import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The package of the web applications. */
export const sources = path.join(root, 'packages/console');

/** Where the digest of what was built is kept. */
export const stampFile = path.join(sources, 'dist/built-from');

/** The web applications: the folder of each below `packages/console/src`, and the address that a service serves it at. */
export const webApplications = { partners: '/ui/', operators: '/console/' } as const;

/** The name of a web application. */
export type WebApplication = keyof typeof webApplications;

/** The folder of a built web application, whether it has been built or not. */
export function folderOf(name: WebApplication): string {
  return path.join(sources, 'dist', name);
}

/**
 * Builds the web applications, in a process that ends, unless they are up to date. `report` is called before.
 * @throws Error with what the build printed, if it fails
 */
export async function ensureWebApplications(report: (line: string) => void, signal?: AbortSignal): Promise<void> {
  if (await areUpToDate(await stampOfSources())) return;
  report('Building the web applications');
  const script = fileURLToPath(new URL('main.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [script], { cwd: root, ...(signal && { signal }) });
}

/** Whether the last build was made from these sources. */
export async function areUpToDate(stamp: string): Promise<boolean> {
  return existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp;
}

/** What decides the result of a build beside the sources of the pages. */
const others = [
  'pnpm-lock.yaml',
  'tsconfig.base.json',
  'packages/console/tsconfig.json',
  'packages/console/package.json',
];

/** A digest over everything that decides the result of a build in a workspace. */
export async function stampOfSources(workspace = root): Promise<string> {
  const hash = createHash('sha256');
  const files = (await Promise.all((await sourceFolders(workspace)).map(filesIn))).flat();
  for (const file of [...files.toSorted(), ...others.map((name) => path.join(workspace, name))])
    hash.update(`${path.relative(workspace, file)}\n`).update(await readFile(file));
  return hash.digest('hex');
}

/** The sources of the pages, of the packages of the workspace that they include, and of the build itself. */
async function sourceFolders(workspace: string): Promise<string[]> {
  const console = path.join(workspace, 'packages/console');
  const linked = path.join(console, 'node_modules/@waybill');
  const packages = await Promise.all((await readdir(linked)).map((name) => realpath(path.join(linked, name))));
  return [console, ...packages, path.join(workspace, 'tools/web-build')].map((folder) => path.join(folder, 'src'));
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
