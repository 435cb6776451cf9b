import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Figure, isMet } from './figure.ts';
import { measureFloor } from './measure-floor.ts';
import { measureListing } from './measure-listing.ts';
import { measureMemory } from './measure-memory.ts';
import { measureSmallFiles } from './measure-small-files.ts';
import { measureTransfers } from './measure-transfers.ts';
import { type BenchPlatform, openBenchPlatform } from './open-bench-platform.ts';
import { printFigures } from './print-figures.ts';

/*
 * http-files as a process, with a private PostgreSQL and Redis, beside nginx on the same disk, with curl as the client of
 * both. Named parts run only these; `--check` fails if a budget is missed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    mebibytes: { type: 'string', default: '1024' },
    entries: { type: 'string', default: '1000000' },
  },
});
const rounds = Number(values.rounds);

const parts: Readonly<Record<string, (platform: BenchPlatform) => Promise<Figure[]>>> = {
  transfers: (platform) => measureTransfers(platform, { mebibytes: Number(values.mebibytes), rounds }),
  floor: (platform) => measureFloor(platform, { mebibytes: Number(values.mebibytes), rounds }),
  'small-files': (platform) => measureSmallFiles(platform, { files: 1_000, rounds }),
  memory: (platform) => measureMemory(platform, { uploads: 50, mebibytes: 200 }),
  listing: (platform) => measureListing(platform, { entries: Number(values.entries), pages: 200 }),
};
const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) throw new Error(`There is no part ${unknown}, only ${Object.keys(parts).join(', ')}`);

console.log(`Node ${process.version}, ${cpus().length} processors: ${cpus()[0]?.model.trim()}`);
await using platform = await openBenchPlatform();
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`Measuring ${name} ...`);
  const found = await measure(platform);
  printFigures(found);
  figures.push(...found);
}
if (values.check && !figures.every(isMet)) process.exitCode = 1;
