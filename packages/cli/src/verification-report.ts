import { damages, type DamagedFile } from '@waybill/filebox/upkeep/damaged-file';
import type { Verification } from '@waybill/filebox/upkeep/verification-record';
import type { VerificationProgress } from '@waybill/filebox/upkeep/verify-files';
import type { Surroundings } from './command.ts';

const mebibyte = 1024 * 1024;

/** The output of `waybill files verify`: findings to stdout, progress to stderr. */
export interface VerificationReport {
  damaged(file: DamagedFile, vfsName: string): void;
  /** `elapsedMs`: since the verification began. */
  progress(progress: VerificationProgress, elapsedMs: number): void;
  finished(verification: Verification): void;
}

/** A report as text. */
export function textReport({ out, err }: Pick<Surroundings, 'out' | 'err'>): VerificationReport {
  return {
    damaged: ({ path, fileset, storageClass, blobId, problem }, vfsName) =>
      out(`${vfsName}:${path} (fileset ${fileset}): ${damages[problem]} (blob ${blobId} in ${storageClass})`),
    progress: (progress, elapsedMs) => {
      const { blobs, bytes, damaged, totalBlobs, totalBytes } = progress;
      const { percent, secondsLeft } = estimate(progress, elapsedMs);
      const left = secondsLeft === undefined ? '' : `, about ${durationOf(secondsLeft)} left`;
      const done = `${blobs} of ${counted(totalBlobs, 'content')}, ${amountOf(bytes)} of ${amountOf(totalBytes)} read`;
      err(`${percent} %: ${done}, ${counted(damaged, 'file')} damaged${left}`);
    },
    finished: ({ blobs, bytes, damaged }) =>
      out(`Verified: ${counted(blobs, 'content')}, ${amountOf(bytes)} read, ${counted(damaged, 'file')} damaged.`),
  };
}

/** A report for programs: one JSON object per line. */
export function jsonReport({ out, err }: Pick<Surroundings, 'out' | 'err'>): VerificationReport {
  return {
    damaged: ({ vfsId, path, fileset, storageClass, blobId, problem }, vfsName) =>
      out(JSON.stringify({ type: 'damaged', vfs: vfsName, vfsId, path, fileset, storageClass, blobId, problem })),
    progress: (progress, elapsedMs) =>
      err(JSON.stringify({ type: 'progress', ...progress, ...estimate(progress, elapsedMs) })),
    finished: (verification) => out(JSON.stringify({ type: 'finished', ...verification })),
  };
}

/** The progress in bytes, or in contents if all of them are empty. */
function estimate({ blobs, bytes, totalBlobs, totalBytes }: VerificationProgress, elapsedMs: number) {
  const share = totalBytes > 0 ? shareOf(bytes, totalBytes) : shareOf(blobs, totalBlobs);
  const secondsLeft = share > 0 ? Math.ceil(((elapsedMs / 1_000) * (1 - share)) / share) : undefined;
  return { percent: Math.floor(share * 100), secondsLeft };
}

/** Contents that are stored during the verification are not in the totals. */
function shareOf(done: number, total: number): number {
  return total > 0 ? Math.min(1, done / total) : 1;
}

function durationOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

function amountOf(bytes: number): string {
  return bytes < mebibyte ? counted(bytes, 'byte') : `${(bytes / mebibyte).toFixed(1)} MiB`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}
