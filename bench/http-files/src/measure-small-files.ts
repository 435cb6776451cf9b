import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quantile } from '@waybill/bench-filebox/quantile';
import { settleDisk } from './bench-disk.ts';
import type { Figure } from './figure.ts';
import type { BenchPlatform } from './open-bench-platform.ts';
import { runCurl } from './run-curl.ts';

const sizeBytes = 4_096;
const parallel = 32;

/** Small files from one curl over 32 persistent connections, alternating with nginx; the first round warms up. */
export async function measureSmallFiles(
  { service, nginx, folder, forgetEvents }: BenchPlatform,
  { files, rounds }: { files: number; rounds: number },
): Promise<Figure[]> {
  const source = join(folder, 'small');
  await writeFile(source, randomBytes(sizeBytes));
  const upload = async (round: number, baseUrl: string, cookie: readonly string[]): Promise<number> => {
    const list = join(folder, 'uploads');
    const lines = Array.from(
      { length: files },
      (_, index) => `upload-file = "${source}"\nurl = "${baseUrl}/small-${round}-${index}"\noutput = "/dev/null"\n`,
    );
    await writeFile(list, lines.join(''));
    await settleDisk();
    const { seconds, statuses } = await runCurl(201, [
      ...cookie,
      '-H',
      'Content-Type: application/octet-stream',
      '--parallel',
      '--parallel-max',
      String(parallel),
      '-K',
      list,
    ]);
    if (statuses.length !== files) throw new Error(`${statuses.length} of ${files} files were answered`);
    return files / seconds;
  };
  const perSecond = { ours: [] as number[], nginx: [] as number[] };
  await mkdir(join(folder, 'nginx', 'files', 'small'));
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await upload(round, `${service.baseUrl}/2.0/files`, ['-H', `Cookie: ${service.cookie}`]);
    await forgetEvents();
    const theirs = await upload(round, `${nginx.baseUrl}/small`, []);
    if (round === 0) continue;
    perSecond.ours.push(ours);
    perSecond.nginx.push(theirs);
  }
  const [ours, theirs] = [quantile(perSecond.ours, 0.5), quantile(perSecond.nginx, 0.5)];
  return [
    {
      name: `PUT of ${files} files of 4 KiB, ${parallel} at a time`,
      ours: `${ours.toFixed(0)} files/s`,
      peer: `${theirs.toFixed(0)} files/s`,
      value: ours / theirs,
    },
  ];
}
