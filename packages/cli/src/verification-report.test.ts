import { expect, test } from 'vitest';
import { jsonReport, textReport } from './verification-report.ts';

const mebibyte = 1024 * 1024;

function linesOf(report: typeof textReport, ...args: Parameters<ReturnType<typeof textReport>['progress']>) {
  const lines: string[] = [];
  report({ out: () => {}, err: (line) => lines.push(line) }).progress(...args);
  return lines;
}

test('progress is reported in percent of the bytes, with the remaining time', () => {
  const progress = { blobs: 12, bytes: 25 * mebibyte, damaged: 1, totalBlobs: 40, totalBytes: 100 * mebibyte };
  expect(linesOf(textReport, progress, 600_000)).toEqual([
    '25 %: 12 of 40 contents, 25.0 MiB of 100.0 MiB read, one file damaged, about 30 min left',
  ]);
  expect(linesOf(jsonReport, progress, 600_000).map((line): unknown => JSON.parse(line))).toEqual([
    { type: 'progress', ...progress, percent: 25, secondsLeft: 1_800 },
  ]);
});

test.each([
  ['nothing was read', { blobs: 0, bytes: 0, totalBlobs: 3, totalBytes: 10 }, /^0 %.* damaged$/u],
  ['all contents are empty', { blobs: 1, bytes: 0, totalBlobs: 2, totalBytes: 0 }, /^50 %.*about 10 s left$/u],
  ['there are none', { blobs: 0, bytes: 0, totalBlobs: 0, totalBytes: 0 }, /^100 %.*about 0 s left$/u],
  ['more was stored meanwhile', { blobs: 5, bytes: 50, totalBlobs: 4, totalBytes: 40 }, /^100 %.*about 0 s left$/u],
])('progress is sensible if %s', (_when, progress, expected) => {
  const [line] = linesOf(textReport, { ...progress, damaged: 0 }, 10_000);
  expect(line).toMatch(expected);
});
