import { hostname } from 'node:os';
import { CodedError } from '@waybill/contracts/coded-error';
import type { Directory } from '@waybill/directory/directory';
import { openDirectory } from '@waybill/directory/open-directory';
import { damages, type DamagedFile } from '@waybill/filebox/damaged-file';
import { verifyFiles, type Verification } from '@waybill/filebox/verify-files';
import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import { storageConfigShape } from '@waybill/service-kit/config/storage-config';
import { loadConfig } from '@waybill/service-kit/load-config';
import { z } from 'zod';
import type { Command, Invocation } from '../command.ts';
import { operatorName } from '../operator-name.ts';
import { UsageError } from '../usage-error.ts';
import { withPreparedDatabase } from '../with-prepared-database.ts';

const mebibyte = 1024 * 1024;
const configSchema = z.object({
  BLOB_DIR: storageConfigShape.BLOB_DIR,
  MANAGER_NAME: serviceConfigShape.MANAGER_NAME,
});

/** Compares stored contents with what was stored. */
export const verifyFilesCommand: Command = {
  summary: 'Reads the stored content of all files, and tells of which it is not what was stored.',
  usage: '[--vfs <name>] [--rate <MiB/s>] [--concurrency <n>] [--json]',
  positionals: [],
  options: {
    vfs: { type: 'string' },
    rate: { type: 'string' },
    concurrency: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { values, env } = invocation;
    const { BLOB_DIR: blobDir, MANAGER_NAME: managerName } = loadConfig(configSchema, env);
    const concurrency = numberOf(values['concurrency'], { name: 'concurrency', fallback: 2, most: 64 });
    const rate = numberOf(values['rate'], { name: 'rate', fallback: 100, most: 100_000 });
    const report = values['json'] === true ? jsonReport(invocation) : textReport(invocation);
    await withPreparedDatabase(invocation, async (db) => {
      const directory = openDirectory({ db });
      const verification = await verifyFiles({
        db,
        blobDir,
        storageClasses: directory,
        vfsId: await vfsIdOf(directory, values['vfs']),
        by: { user: operatorName(), nodeId: hostname(), managerName },
        concurrency,
        bytesPerSecond: rate * mebibyte,
        onDamaged: async (file) => report.damaged(file, (await directory.findVfs(file.vfsId))?.name ?? file.vfsId),
      });
      report.finished(verification);
      if (verification.damaged > 0) throw new CodedError('content_missing', { detail: damagedDetail(verification) });
    });
  },
};

async function vfsIdOf(directory: Directory, name: Invocation['values'][string]): Promise<string | undefined> {
  if (typeof name !== 'string') return undefined;
  const vfs = await directory.findVfsByName(name);
  if (!vfs) throw new CodedError('configuration_invalid', { detail: `the configuration has no VFS ${name}` });
  return vfs.id;
}

function numberOf(
  value: Invocation['values'][string],
  { name, fallback, most }: { name: string; fallback: number; most: number },
): number {
  if (value === undefined) return fallback;
  const number = z.coerce.number().int().min(1).max(most).safeParse(value);
  if (number.success) return number.data;
  throw new UsageError(`--${name} takes a number from 1 to ${most}`);
}

function damagedDetail({ damaged }: Verification): string {
  return damaged === 1 ? 'one file is damaged' : `${damaged} files are damaged`;
}

function amountOf(bytes: number): string {
  return bytes < mebibyte ? counted(bytes, 'byte') : `${(bytes / mebibyte).toFixed(1)} MiB`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}

interface Report {
  damaged(file: DamagedFile, vfsName: string): void;
  finished(verification: Verification): void;
}

function textReport({ out }: Invocation): Report {
  return {
    damaged: ({ path, fileset, storageClass, blobId, problem }, vfsName) =>
      out(`${vfsName}:${path} (fileset ${fileset}): ${damages[problem]} (blob ${blobId} in ${storageClass})`),
    finished: ({ blobs, bytes, damaged }) =>
      out(`Verified: ${counted(blobs, 'content')}, ${amountOf(bytes)} read, ${counted(damaged, 'file')} damaged.`),
  };
}

/** One JSON object a line. */
function jsonReport({ out }: Invocation): Report {
  return {
    damaged: ({ vfsId, path, fileset, storageClass, blobId, problem }, vfsName) =>
      out(JSON.stringify({ type: 'damaged', vfs: vfsName, vfsId, path, fileset, storageClass, blobId, problem })),
    finished: (verification) => out(JSON.stringify({ type: 'finished', ...verification })),
  };
}
