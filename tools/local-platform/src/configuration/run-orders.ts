import { runCommandLine } from '@waybill/cli/run-command-line';
import type { WaybillOrder, WaybillOutcome } from './start-waybill.ts';

// Runs the commands that `startWaybill` sends.
process.on('message', (order: WaybillOrder) => {
  void run(order).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.exit());

async function run({ args, env }: WaybillOrder): Promise<WaybillOutcome> {
  let [stdout, stderr] = ['', ''];
  const exitCode = await runCommandLine(args, {
    env,
    out: (line) => (stdout += `${line}\n`),
    err: (line) => (stderr += `${line}\n`),
  });
  return { exitCode, stdout, stderr };
}
