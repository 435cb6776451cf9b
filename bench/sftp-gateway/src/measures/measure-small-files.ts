import { prepareSmallFiles, smallFilePlans } from '../clients/small-file-run.ts';
import type { BenchSetting } from '../servers/bench-setting.ts';
import { compareRounds } from './compare-rounds.ts';

/** Files of 4 KiB up and down, in one session and over eight at a time. */
export async function measureSmallFiles(setting: BenchSetting): Promise<void> {
  const { ours, theirs, rounds, smallFiles: files, directions } = setting;
  for (const plan of smallFilePlans(setting)) {
    const { sessions, budget } = plan;
    await using run = await prepareSmallFiles(setting, plan, [ours, theirs]);
    // Files to get must exist first.
    if (!directions.includes('put')) for (const server of [ours, theirs]) await run.move('put', server);
    for (const direction of directions) {
      await compareRounds(setting, {
        title: `${direction} ${files} files of 4 KiB, ${sessions} session${sessions === 1 ? '' : 's'}`,
        rounds,
        budget,
        unit: 'files/s',
        amount: files,
        turn: (server) => run.move(direction, server),
      });
    }
  }
}
