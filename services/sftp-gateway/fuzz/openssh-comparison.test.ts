import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { ensureOpensshSftpServer } from '@waybill/test-kit/ensure-openssh-sftp-server';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FileModel } from './file-model.ts';
import { aimed, fileNames, firstSteps, sequence, type Expected, type Step } from './file-steps.ts';
import { kindsOfChanges } from './kinds-of-changes.ts';
import { leftOut, otherAnswers } from './openssh-differences.ts';
import { startOpensshSession } from './openssh-session.ts';
import { Players, type Player } from './players.ts';

/** The full number takes minutes: `SEQUENCES=20000` after a change to open files, which prints the counts. */
const asked = process.env['SEQUENCES'];
const sequences = Number(asked ?? 2_000);

let program: string;
let folder: TestFolder;
beforeAll(async () => {
  program = await ensureOpensshSftpServer();
  folder = await createTestFolder();
});
afterAll(() => folder?.remove());

/** How many steps had equal responses, and how often each of the differences applied. */
class Counts {
  alike = 0;
  readonly changes = zeros(kindsOfChanges);
  readonly leftOut = zeros(leftOut);
  readonly otherAnswers = zeros(otherAnswers);
}

function zeros(names: Readonly<Record<string, unknown>>): Map<string, number> {
  return new Map(Object.keys(names).map((name) => [name, 0]));
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const sum = (counts: Map<string, number>): number => [...counts.values()].reduce((one, other) => one + other, 0);

/** Sends one sequence to OpenSSH's server and to the model. */
class Comparison {
  readonly model = new FileModel();
  readonly said: { step: Step; openssh: Expected }[] = [];
  readonly #players: Players;
  readonly #counts: Counts;

  constructor(players: Players, counts: Counts) {
    this.#players = players;
    this.#counts = counts;
  }

  async play(random: Step): Promise<void> {
    const { model } = this;
    const step = aimed(random, model.openHandles);
    const omitted = Object.entries(leftOut).find(([, { applies }]) => applies(step, model));
    if (omitted) return count(this.#counts.leftOut, omitted[0]);
    const differences = Object.entries(otherAnswers).filter(([, { applies }]) => applies(step, model));
    const changes = Object.keys(kindsOfChanges).filter((kind) => kindsOfChanges[kind]?.(step, model));
    // OpenSSH reuses the number of a closed handle.
    const sent = 'handle' in step && !model.handle(step) ? { ...step, handle: -1 } : step;
    const platform = model.apply(step);
    const openssh = await this.#players.play(sent);
    this.said.push({ step, openssh });
    if (platform === openssh) {
      this.#counts.alike += 1;
      for (const kind of changes) if (platform === 0) count(this.#counts.changes, kind);
      return;
    }
    const difference = differences.find(([, { isDifference }]) => isDifference(platform, openssh));
    if (!difference) throw new Error(`expected ${platform} for the last step: ${JSON.stringify(this.said)}`);
    count(this.#counts.otherAnswers, difference[0]);
    if (openssh === 'handle') await this.#players.closeLatest(step.session);
  }
}

/** Folders, and files with their content. */
async function entriesOf(path: string): Promise<Record<string, string | undefined>> {
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  const entries = found.map(async (entry) => {
    const at = join(entry.parentPath, entry.name);
    return [at.slice(path.length + 1), entry.isDirectory() ? undefined : await readFile(at, 'latin1')] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function compare(name: string, random: fc.Arbitrary<readonly Step[]>): Promise<Counts> {
  const counts = new Counts();
  await using one = await startOpensshSession(program);
  await using other = await startOpensshSession(program);
  const sessions: readonly Player[] = [one, other];
  let folders = 0;
  const agrees = fc.asyncProperty(random, async (steps) => {
    folders += 1;
    const path = join(folder.path, `${name}-${folders}`);
    await mkdir(path);
    const comparison = new Comparison(new Players(sessions, path), counts);
    const { said, model } = comparison;
    for (const step of [...firstSteps, ...steps]) await comparison.play(step);
    for (const handle of model.openHandles) await comparison.play({ kind: 'close', ...handle });
    for (const file of fileNames) await comparison.play({ kind: 'stat', session: 1, path: file });
    expect({ said, entries: await entriesOf(path) }).toEqual({ said, entries: model.delivered });
    await rm(path, { recursive: true });
  });
  await fc.assert(agrees, { numRuns: sequences });
  if (asked !== undefined) print(name, counts);
  return counts;
}

function print(name: string, { alike, ...counts }: Counts): void {
  const lines = Object.values(counts).flatMap((of) => [...of].map(([what, times]) => `  ${times} ${what}`));
  process.stdout.write(
    `${[`${name}: ${sequences} sequences`, `  ${alike} steps with equal responses`, ...lines].join('\n')}\n`,
  );
}

const inOneSession = sequence.map((steps) => steps.map((step): Step => ({ ...step, session: 0 })));

test(`${sequences} sequences of one session have the responses of OpenSSH's server, and leave the same files`, async () => {
  const counts = await compare('one session', inOneSession);
  expect(counts.alike).toBeGreaterThan(sequences * 15);
  expect(sum(counts.leftOut)).toBeLessThan(counts.alike / 50);
  expect(Math.min(...counts.changes.values())).toBeGreaterThan(sequences / 100);
});

test(`${sequences} sequences of two sessions do too, if the sessions do not write to one file`, async () => {
  const counts = await compare('two sessions', sequence);
  expect(counts.alike).toBeGreaterThan(sequences * 15);
  expect(sum(counts.leftOut)).toBeLessThan(counts.alike / 10);
  expect(Math.min(...counts.changes.values())).toBeGreaterThan(sequences / 200);
});
