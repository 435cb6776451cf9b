import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { acceptedDifferences } from './two-doors/accepted-differences.ts';
import { operations, type Door, type OperationName, type Outcome } from './two-doors/door.ts';
import { createHttpDoor } from './two-doors/http-door.ts';
import { passwordOf, platformConfiguration } from './two-doors/platform-configuration.ts';
import { prepareSituations } from './two-doors/prepare-situations.ts';
import { connectSftp, createSftpDoor } from './two-doors/sftp-door.ts';
import { alike, pathIn, situations, testUsers, type Situation, type TestUser } from './two-doors/situations.ts';

interface UserWithDoors {
  readonly user: TestUser;
  readonly sftp: Door;
  readonly http: Door;
}

const resources = new AsyncDisposableStack();
let usersWithDoors: readonly UserWithDoors[];

beforeAll(async () => {
  const folder = resources.use(await createTestFolder());
  const file = join(folder.path, 'platform.yaml');
  await writeFile(file, platformConfiguration());
  const platform = resources.use(await startPlatformProcess({ WAYBILL_CONFIGURATION: file }));
  await prepareSituations(
    platform,
    operations.flatMap((operation) => [tagOf(operation, 'sftp'), tagOf(operation, 'http')]),
  );
  usersWithDoors = await Promise.all(testUsers.map((user) => logIn(platform, user)));
});
afterAll(() => resources.disposeAsync());

describe('users learn the same over SFTP and over HTTP, except for the accepted differences:', () => {
  it.each(operations)('%s', async (operation) => {
    const answers = (await Promise.all(usersWithDoors.map((user) => answersOf(operation, user)))).flat();
    const differences = answers.filter(({ sftp, http }) => sftp !== http).map(describeDifference);
    expect(differences.toSorted()).toEqual(acceptedDifferencesOf(operation).toSorted());
    expect(disclosures(answers)).toEqual([]);
  });
});

describe('users see the same names over SFTP and over HTTP, except for their own unfinished uploads, in', () => {
  it.each(['/', '/vfs', '/vfs/place', '/vfs/spare', '/vfs/inner', '/vfs/mounted', '/way', '/way/to'])(
    '%s',
    async (folder) => {
      const differences = await Promise.all(
        usersWithDoors.map(async ({ user, sftp, http }) => {
          const overSftp = new Set(await sftp.namesIn(folder));
          const overHttp = new Set(await http.namesIn(folder));
          const isExpected = (name: string) =>
            overSftp.has(name) && (overHttp.has(name) || name.startsWith('unfinished-upload.'));
          const names = [...overSftp, ...overHttp].filter((name) => !isExpected(name));
          return names.map((name) => `${name}, user ${user.name}`);
        }),
      );
      expect(differences.flat()).toEqual([]);
    },
  );
});

/** What a user learns in a situation. */
interface Answer {
  readonly situation: Situation;
  readonly user: TestUser;
  readonly sftp: Outcome;
  readonly http: Outcome;
}

async function answersOf(operation: OperationName, { user, sftp, http }: UserWithDoors): Promise<Answer[]> {
  const answers = [];
  for (const situation of situations) {
    const ask = (door: Door, name: 'sftp' | 'http') => {
      const tag = tagOf(operation, name);
      return door.run(operation, pathIn(situation, tag), `/vfs/spare/${situation.replaceAll(' ', '-')}.${tag}`);
    };
    answers.push({ situation, user, sftp: await ask(sftp, 'sftp'), http: await ask(http, 'http') });
  }
  return answers;
}

/** Where an answer tells users what is at a path at which they may do nothing. */
function disclosures(answers: readonly Answer[]): string[] {
  return alike.flatMap(([there, missing]) =>
    answers
      .filter(({ situation }) => situation === there)
      .flatMap((one) => {
        const other = answers.find(({ situation, user }) => situation === missing && user === one.user);
        const differs = one.sftp !== other?.sftp || one.http !== other.http;
        return differs && other ? [`${describeDifference(one)}, but ${describeDifference(other)}`] : [];
      }),
  );
}

function acceptedDifferencesOf(operation: OperationName): string[] {
  return acceptedDifferences
    .flatMap(({ rows }) => rows)
    .filter(([_sftp, _http, concerned]) => concerned.includes(operation))
    .flatMap(([sftp, http, _operations, inSituations, of]) => {
      const users = testUsers.filter(of);
      return inSituations.flatMap((situation) =>
        users.map((user) => describeDifference({ situation, user, sftp, http })),
      );
    });
}

function describeDifference({ situation, user, sftp, http }: Answer): string {
  return `${situation}, user ${user.name}: ${sftp} over SFTP, ${http} over HTTP`;
}

function tagOf(operation: OperationName, door: 'sftp' | 'http'): string {
  return `${door}-${operations.indexOf(operation)}`;
}

async function logIn(platform: PlatformProcess, user: TestUser): Promise<UserWithDoors> {
  const [name, password] = [user.name, passwordOf(user.name)];
  const sftp = resources.use(createSftpDoor(await connectSftp({ port: platform.sftpPort, user: name, password })));
  const client = platform.http();
  const answer = await client.post('/2.0/login/basic', { form: { username: name, password } });
  if (answer.status !== 200) throw new Error(`login of ${name}: ${answer.status} ${answer.text}`);
  return { user, sftp, http: createHttpDoor(client) };
}
