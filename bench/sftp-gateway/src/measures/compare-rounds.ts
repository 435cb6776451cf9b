import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { clientProcessorSeconds } from '../processes/read-processor-seconds.ts';
import type { BenchServer } from '../servers/bench-server.ts';

/** A measurement and its budget. */
export interface Comparison<Server extends BenchServer> {
  readonly title: string;
  /** The number of turns of each. */
  readonly rounds: number;
  /** The minimum of our speed divided by theirs. Absent if the speed is not judged. */
  readonly budget?: number;
  /** The maximum of our server's processor seconds divided by theirs. */
  readonly processorBudget?: number;
  /** The unit of speed, per second of a turn. */
  readonly unit: string;
  /** The amount of work in a turn, in units. */
  readonly amount: number;
  /** Returns the seconds that the work took. */
  readonly turn: (server: Server | BenchServer, round: number) => Promise<number>;
}

/** Both sides. */
export interface Rivals {
  readonly ours: BenchServer;
  readonly theirs: BenchServer;
}

const flush = promisify(execFile);

/** The results of both servers' turns, and their processor time. */
interface Tally {
  readonly speeds: number[];
  readonly clientSeconds: number[];
  readonly serverSeconds: number[];
}

/**
 * Runs the same work on both servers alternately, each round beginning with the other one, and prints the medians of the
 * ratios of the rounds, of speed and of processor time. Before each turn the writes of the previous one are written back to
 * the disk.
 */
export async function compareRounds(rivals: Rivals, comparison: Comparison<BenchServer>): Promise<void> {
  const { title, rounds, budget, processorBudget, unit } = comparison;
  const { ours, theirs } = rivals;
  const tallies = { ours: newTally(), theirs: newTally() };
  // The first turn of each warms up.
  for (const side of ['theirs', 'ours'] as const) await takeTurn(rivals[side], comparison, -1, newTally());
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const);
    for (const side of order) await takeTurn(rivals[side], comparison, round, tallies[side]);
  }
  const speeds = `${theirs.name} ${show(median(tallies.theirs.speeds))}, ${ours.name} ${show(median(tallies.ours.speeds))}`;
  const bySpeed = ratiosOf(tallies.ours.speeds, tallies.theirs.speeds);
  const isFast = budget === undefined ? '' : `, budget ${budget}: ${met(median(bySpeed) >= budget)}`;
  console.log(`${title.padEnd(44)} ${`${speeds} ${unit}`.padEnd(44)} ratio ${spread(bySpeed)}${isFast}`);
  for (const side of ['theirs', 'ours'] as const) {
    const { clientSeconds, serverSeconds } = tallies[side];
    const used = `client ${median(clientSeconds).toFixed(2)} s, server ${median(serverSeconds).toFixed(2)} s`;
    console.log(`  processors with ${rivals[side].name}: ${used}`);
  }
  const byProcessor = ratiosOf(tallies.ours.serverSeconds, tallies.theirs.serverSeconds);
  const isCheap =
    processorBudget === undefined ? '' : `, budget ${processorBudget}: ${met(median(byProcessor) <= processorBudget)}`;
  console.log(`  processor time of the servers: ratio ${spread(byProcessor)}${isCheap}`);
}

function ratiosOf(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((own, round) => own / (theirs[round] ?? Number.NaN));
}

function spread(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}

function met(isMet: boolean): string {
  return isMet ? 'met' : 'NOT MET';
}

function newTally(): Tally {
  return { speeds: [], clientSeconds: [], serverSeconds: [] };
}

async function takeTurn(
  server: BenchServer,
  { amount, turn }: Comparison<BenchServer>,
  round: number,
  { speeds, clientSeconds, serverSeconds }: Tally,
): Promise<void> {
  await flush('sync');
  const [client, own] = [await clientProcessorSeconds(), await server.processorSeconds()];
  speeds.push(amount / (await turn(server, round)));
  clientSeconds.push((await clientProcessorSeconds()) - client);
  serverSeconds.push((await server.processorSeconds()) - own);
}

function show(speed: number): string {
  return speed >= 100 ? speed.toFixed(0) : speed.toFixed(1);
}

/** The median of the values; of an even number, the upper one of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
