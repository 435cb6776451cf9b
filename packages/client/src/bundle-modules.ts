import { dirname, join, relative } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { clientSource, packageFolder, placeOf, publicModules } from './source-folders.ts';

const options = {
  absWorkingDir: packageFolder,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  metafile: true,
  logLevel: 'warning',
} satisfies BuildOptions;

/** What the sources import from each library. */
const libraries: Readonly<Record<string, string>> = {
  undici: `export { Agent, errors } from 'undici';`,
  zod: `export { z } from 'zod';`,
};

// Packages in CommonJS ask for modules of Node with `require`.
const banner = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

/**
 * Writes each source as one file, whose imports name the others, and each library as one file. Returns the files that are
 * in them, relative to the package.
 */
export async function bundleModules(folder: string): Promise<string[]> {
  const { metafile } = await build({ ...options, entryPoints: publicModules(), outdir: folder, write: false });
  const inputs = Object.keys(metafile.inputs);
  const sources = new Set([...publicModules(), ...inputs.map((input) => join(packageFolder, input))]);
  const entryPoints = [...sources].flatMap((file) => {
    const place = placeOf(file);
    return place === undefined ? [] : [{ in: file, out: place }];
  });
  await build({ ...options, entryPoints, outdir: folder, plugins: [separateModules] });
  await Promise.all(
    Object.entries(libraries).map(async ([name, contents]) =>
      build({
        ...options,
        stdin: { contents, resolveDir: clientSource },
        outfile: join(folder, 'libraries', `${name}.js`),
        banner: { js: banner },
      }),
    ),
  );
  return inputs;
}

/** Leaves the imports of sources as imports, by their places in the package. */
const separateModules: Plugin = {
  name: 'separate-modules',
  setup: ({ onResolve }) => {
    onResolve({ filter: /./ }, ({ kind, path, importer }) => {
      if (kind === 'entry-point' || path.startsWith('node:')) return undefined;
      if (path.startsWith('.')) return { path: path.replace(/\.ts$/u, '.js'), external: true };
      const target = path.startsWith('@waybill/contracts/')
        ? path.slice('@waybill/contracts/'.length)
        : join('libraries', path);
      const own = relative(dirname(placeOf(importer) ?? ''), target);
      return { path: `${own.startsWith('.') ? own : `./${own}`}.js`, external: true };
    });
  },
};
