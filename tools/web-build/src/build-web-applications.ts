import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { sources, type WebApplication, webApplications } from './web-applications.ts';

/**
 * Builds the web applications into `packages/console/dist`. The result replaces the last one as a whole, so that
 * several processes may build at once.
 *
 * @param stamp the digest of the sources, which marks the result
 */
export async function buildWebApplications(stamp: string): Promise<void> {
  const result = path.join(sources, 'dist');
  const draft = path.join(sources, `.dist-${process.pid}`);
  for (const name of Object.keys(webApplications) as WebApplication[]) {
    const outDir = path.join(draft, name);
    await buildWebApplication(sources, name, outDir);
    await compressFiles(outDir);
  }
  await writeFile(path.join(draft, 'built-from'), stamp);
  await rm(result, { recursive: true, force: true });
  await rename(draft, result);
}

/** Builds one web application of a copy of `packages/console` into a folder. */
export async function buildWebApplication(folder: string, name: WebApplication, outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: path.join(folder, 'src', name),
    base: webApplications[name],
    // The only page: its script decides by the address what it shows.
    build: {
      rolldownOptions: { input: path.join(folder, 'src', name, 'page.html') },
      outDir,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
}

/** Beside each file that compresses well: the same with `.br` and `.gz`. */
async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = entries.filter((entry) => entry.isFile() && /\.(html|js|css|svg|json)$/u.test(entry.name));
  for (const entry of texts) {
    const file = path.join(entry.parentPath, entry.name);
    const content = await readFile(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
  }
}
