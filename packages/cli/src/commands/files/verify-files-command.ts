import { hostname } from 'node:os';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Directory } from '@waybill/directory/directory';
import { openDirectory } from '@waybill/directory/open-directory';
import type { Verification } from '@waybill/filebox/upkeep/verification-record';
import { verifyFiles, type VerificationProgress } from '@waybill/filebox/upkeep/verify-files';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import { storageConfigShape, storageOf } from '@waybill/service-kit/config/storage-config';
import { z } from 'zod';
import { type Command, type Invocation, operatorName, UsageError } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { jsonOption, textOption } from '../../platform/option-values.ts';
import { jsonReport, textReport } from '../../verification-report.ts';

const mebibyte = 1024 * 1024;
const configSchema = z.object({
  ...storageConfigShape,
  MANAGER_NAME: serviceConfigShape.MANAGER_NAME,
});

/** Verifies the stored contents of files. */
export const verifyFilesCommand: Command = {
  summary: 'Reads the stored contents of all files, and reports the damaged ones.',
  examples: ['waybill files verify', 'waybill files verify --vfs acme-files --rate 100 --json'],
  options: {
    vfs: textOption('name', 'Only the files of this virtual file system.'),
    rate: { ...textOption('MiB/s', 'How much is read in a second at most.'), usual: '100' },
    concurrency: { ...textOption('number', 'How many files are read at the same time, up to 64.'), usual: '2' },
    progress: { ...textOption('seconds', 'How often the progress is shown; 0 means never.'), usual: '10' },
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values, env } = invocation;
    const config = loadConfig(configSchema, env);
    const { MANAGER_NAME: managerName } = config;
    const storage = storageOf(config);
    const concurrency = numberOf(values['concurrency'], { name: 'concurrency', most: 64 });
    const rate = numberOf(values['rate'], { name: 'rate', most: 100_000 });
    const progress = numberOf(values['progress'], { name: 'progress', least: 0, most: 86_400 });
    const report = values['json'] === true ? jsonReport(invocation) : textReport(invocation);
    const vfsName = typeof values['vfs'] === 'string' ? values['vfs'] : undefined;
    await withPreparedDatabase(invocation, async (db) => {
      const directory = openDirectory({ db });
      using ticker = repeatLast(progress, report.progress);
      const verification = await verifyFiles({
        db,
        ...storage,
        storageClasses: directory,
        vfsId: await vfsIdOf(directory, vfsName),
        vfsName,
        by: { user: operatorName(), nodeId: hostname(), managerName },
        concurrency,
        bytesPerSecond: rate * mebibyte,
        onDamaged: async (file) => report.damaged(file, (await directory.findVfs(file.vfsId))?.name ?? file.vfsId),
        onProgress: ticker.note,
      });
      report.finished(verification);
      if (verification.damaged > 0) throw new CodedError('content_missing', { detail: damagedDetail(verification) });
    });
  },
};

async function vfsIdOf(directory: Directory, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const vfs = await directory.findVfsByName(name);
  if (!vfs) throw new CodedError('configuration_invalid', { detail: `the configuration has no VFS ${name}` });
  return vfs.id;
}

function numberOf(
  value: Invocation['values'][string],
  { name, least = 1, most }: { name: string; least?: number; most: number },
): number {
  const number = z.coerce.number().int().min(least).max(most).safeParse(value);
  if (number.success) return number.data;
  throw new UsageError(`--${name} takes a number from ${least} to ${most}`);
}

/** Reports the progress at this interval in seconds, even without progress; 0 means never. */
function repeatLast(seconds: number, tell: (progress: VerificationProgress, elapsedMs: number) => void) {
  const began = performance.now();
  let last: VerificationProgress | undefined;
  const timer =
    seconds > 0
      ? setInterval(() => {
          if (last !== undefined) tell(last, performance.now() - began);
        }, seconds * 1_000)
      : undefined;
  return {
    note: (progress: VerificationProgress): void => {
      last = progress;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function damagedDetail({ damaged }: Verification): string {
  return damaged === 1 ? 'one file is damaged' : `${damaged} files are damaged`;
}
