import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type Choices, createChoices } from './explained/choices.ts';
import { configurationOf, preparedFiles } from './explained/platform-configuration.ts';
import { type Policy, policyOf, preparer } from './explained/policies.ts';
import { type Question, questionAbout } from './explained/questions.ts';
import { openDoor } from './explained/user-doors.ts';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { connectSftp, storeFile } from './two-doors/sftp-door.ts';

const policyCount = 35;
const questionsOfPolicy = 60;

/** Two thousand operations take half a minute; with other work on the machine some minutes. */
const patienceMs = 600_000;

/** Users who work at the same time. */
const concurrency = 4;

const explanationSchema = z.object({
  allowed: z.boolean(),
  rules: z.array(z.object({ rule: z.string(), allows: z.boolean(), why: z.string() })),
});

it(
  'explains exactly what both doors do, for thousands of policies and operations',
  async () => {
    // The same seed makes the same policies and operations.
    const seed = process.env['EXPLAIN_SEED'] ?? randomUUID();
    const key = ssh2.utils.generateKeyPairSync('ed25519');
    const choices = createChoices(seed);
    const policies = makePolicies(choices, key.public);
    const questions = policies.flatMap((policy, index) =>
      Array.from({ length: questionsOfPolicy }, (_, n) =>
        questionAbout(choices, policy, index * questionsOfPolicy + n),
      ),
    );
    expect(questions.length).toBeGreaterThanOrEqual(2_000);

    await using folder = await createTestFolder();
    const file = join(folder.path, 'platform.yaml');
    await writeFile(file, configurationOf(policies, questions));
    await using platform = await startPlatformProcess({ WAYBILL_CONFIGURATION: file });
    await prepare(platform, policies, preparedFiles(policies, questions));

    const token = await platform.adminToken();
    const waiting = [...policies];
    const answers: Answer[] = [];
    await inTurns(async () => {
      for (let policy = waiting.shift(); policy !== undefined; policy = waiting.shift()) {
        const { name } = policy;
        const own = questions.filter(({ user }) => user === name);
        answers.push(...(await answersOf(platform, { token, privateKey: key.private, questions: own })));
      }
    });
    const wrong = answers.filter(({ allowed, isDone }) => allowed !== isDone);
    expect(wrong, `EXPLAIN_SEED=${seed}`).toEqual([]);
    const done = answers.filter((answer) => answer.isDone).length;
    // A test in which everything is refused, or nothing, compares little.
    expect([seed, done > questions.length / 8, done < questions.length * 0.8, done]).toEqual([seed, true, true, done]);
  },
  patienceMs,
);

function makePolicies(choices: Choices, keyLine: string): Policy[] {
  const ofUsers = Array.from({ length: policyCount - 2 }, (_, index) => policyOf(choices, `user${index}`, keyLine));
  const ofOthers = ['admin', 'stranger'].map((name) => ({
    name,
    user: undefined,
    freezes: false,
    groups: [],
    mounts: [],
    connectionContracts: [],
  }));
  return [...ofUsers, ...ofOthers];
}

/** Stores the files that the operations need, and freezes users. */
async function prepare(platform: PlatformProcess, policies: readonly Policy[], files: string[]): Promise<void> {
  await using connection = await connectSftp({ port: platform.sftpPort, user: preparer, password: preparer });
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let path = files.shift(); path !== undefined; path = files.shift()) await storeFile(connection.sftp, path);
    }),
  );
  const bearer = await platform.adminToken();
  for (const { name } of policies.filter(({ freezes }) => freezes)) {
    const path = `/platform-application/api/v1/infrastructure/users/${name}/freeze`;
    expect((await platform.http().put(path, { bearer })).status).toBe(200);
  }
}

interface Answer extends Question {
  readonly allowed: boolean;
  readonly isDone: boolean;
  /** The rules in sentences. */
  readonly rules: readonly string[];
}

/** What is explained, and then what is done, one after the other: some operations change what limits allow. */
async function answersOf(
  platform: PlatformProcess,
  asked: { readonly token: string; readonly privateKey: string; readonly questions: readonly Question[] },
): Promise<Answer[]> {
  const { token: bearer, privateKey, questions } = asked;
  const answers: Answer[] = [];
  for (const protocol of ['SFTP', 'HTTP'] as const) {
    const own = questions.filter((question) => question.protocol === protocol);
    const [first] = own;
    if (first === undefined) continue;
    await using door = await openDoor(platform, { user: first.user, protocol, privateKey });
    for (const question of own) {
      const { user, operation, path } = question;
      const json = { user, protocol, operation, path, address: '127.0.0.1' };
      const response = await platform.http().post('/platform-application/api/v1/access/explain', { json, bearer });
      const { allowed, rules } = explanationSchema.parse(response.json());
      const isDone = await door.attempt(question);
      answers.push({ ...question, allowed, isDone, rules: rules.map(({ rule, why }) => `${rule}: ${why}`) });
    }
  }
  return answers;
}

async function inTurns(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: concurrency }, work));
}
