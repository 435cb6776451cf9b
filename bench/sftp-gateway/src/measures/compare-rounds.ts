import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { clientProcessorSeconds } from '../processes/client-processor-seconds.ts';
import type { BenchServer } from '../servers/bench-server.ts';
import { median } from './median.ts';

/** A figure and what it should be. */
export interface Comparison<Server extends BenchServer> {
  readonly title: string;
  /** How often both take their turn. */
  readonly rounds: number;
  /** Our speed divided by theirs should be at least this. Absent where the clock does not judge. */
  readonly budget?: number;
  /** The processor seconds of our server divided by those of theirs should be at most this. */
  readonly processorBudget?: number;
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

/** What both servers made of their turns, and what that took of the processors. */
interface Tally {
  readonly speeds: number[];
  readonly clientSeconds: number[];
  readonly serverSeconds: number[];
}

/**
 * Lets both servers do the same work in turns, the one that begins changing with every round, and prints the median of
 * the ratios of the rounds, by the clock and in processor time. What one has left to be written to the disk is written before
 * the other's turn.
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
