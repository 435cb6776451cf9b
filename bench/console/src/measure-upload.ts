import { completeInterruptedUpload } from '@waybill/console-tests/interrupted-upload';
import { openConsole } from '@waybill/console-tests/open-console';

/*
 * Uploads 2 GiB with a browser, in spite of two reloads of the page and a killed server, and compares the hashes. The same as
 * the test of the browser's uploads, which sends less.
 */
const bytes = 2 * 1_024 ** 3;

await using rig = await openConsole();
const startedAtMs = performance.now();
const report = (line: string): void => {
  process.stdout.write(`${((performance.now() - startedAtMs) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`);
};
const { sent, stored } = await completeInterruptedUpload(rig, { bytes, report });
report(sent === stored ? 'The hashes are the same.' : 'The hashes differ.');
if (sent !== stored) process.exitCode = 1;
