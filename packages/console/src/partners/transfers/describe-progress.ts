import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { formatDuration } from '../../page-kit/format/format-time.ts';
import { texts } from '../texts.ts';

/** How far an upload, or several together, have got; the time that remains is left out where there is no speed. */
export function describeProgress(share: number, bytesLeft: number, bytesPerSecond: number): string {
  const remaining = bytesPerSecond > 0 ? texts.remainingTime(formatDuration(bytesLeft / bytesPerSecond)) : '';
  return texts.transferRunning(`${Math.floor(share * 100)} %`, `${formatBytes(bytesPerSecond)}/s`, remaining);
}
