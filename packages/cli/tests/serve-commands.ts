import { runInProcess } from '@waybill/test-kit/processes/run-in-process';
import type { CommandAnswer, CommandOrder } from '@waybill/test-kit/processes/run-waybill';
import { runCommandLine } from '../src/run-command-line.ts';

// Runs the commands that `runWaybill` of the test kit sends.
process.on('message', ({ number, args, env }: CommandOrder) => {
  void runInProcess(runCommandLine, args, { env }).then((outcome) => {
    process.send?.({ number, outcome } satisfies CommandAnswer);
  });
});
process.on('disconnect', () => process.exit());
