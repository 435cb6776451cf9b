import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BenchServer } from './bench-server.ts';
import { median } from './median.ts';

/** A figure and what it should be. */
export interface Comparison<Server extends BenchServer> {
  readonly title: string;
  /** How often both take their turn. */
  readonly rounds: number;
  /** Our speed divided by theirs should be at least this. */
  readonly budget: number;
  /** Of the units per second of a turn. */
  readonly unit: string;
  /** Work of a turn, in units. */
  readonly amount: number;
  /** Answers the seconds that the work took. */
  readonly turn: (server: Server | BenchServer, round: number) => Promise<number>;
}

/** Both sides. */
export interface Rivals {
  readonly ours: BenchServer;
  readonly theirs: BenchServer;
}

const flush = promisify(execFile);

/**
 * Lets both servers do the same work in turns, the one that begins changing with every round, and prints the median of
 * the ratios of the rounds. What one has left to be written to the disk is written before the other's turn.
 */
export async function compareRounds(rivals: Rivals, comparison: Comparison<BenchServer>): Promise<boolean> {
  const { title, rounds, budget, unit, amount, turn } = comparison;
  const { ours, theirs } = rivals;
  const speeds = { ours: [] as number[], theirs: [] as number[] };
  const take = async (side: 'ours' | 'theirs', round: number): Promise<void> => {
    await flush('sync');
    speeds[side].push(amount / (await turn(side === 'ours' ? ours : theirs, round)));
  };
  // The first turn of each warms up.
  for (const side of ['theirs', 'ours'] as const) await take(side, -1);
  speeds.ours.length = 0;
  speeds.theirs.length = 0;
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const);
    for (const side of order) await take(side, round);
  }
  const ratios = speeds.ours.map((speed, round) => speed / (speeds.theirs[round] ?? Number.NaN));
  const ratio = median(ratios);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const figures = `${theirs.name} ${show(median(speeds.theirs))}, ${ours.name} ${show(median(speeds.ours))} ${unit}`;
  console.log(
    `${title.padEnd(44)} ${figures.padEnd(44)} ratio ${ratio.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)}), ` +
      `budget ${budget}: ${ratio >= budget ? 'met' : 'NOT MET'}`,
  );
  return ratio >= budget;
}

function show(speed: number): string {
  return speed >= 100 ? speed.toFixed(0) : speed.toFixed(1);
}
