import { readdirSync, readFileSync } from 'node:fs';
import type { PlanView } from '@waybill/contracts/endpoints/administration/configuration-views';
import { watchEventLoop } from '@waybill/test-kit/processes/watch-event-loop';
import { describe, expect, it } from 'vitest';
import { oneConfiguredManager, prefix } from './configuration-requests.ts';

const partnerCount = 3_000;

/** Each with a user, files and access: four entities. */
const partners = (count: number) => ({
  source: 'team',
  actors: Array.from({ length: count }, (_, at) => ({
    name: `partner${at}`,
    type: 'Partner',
    users: [{ name: `user${at}` }],
    virtualFileSystems: [{ name: `files${at}`, folders: ['/inbox'] }],
    connectionContracts: [
      {
        name: 'sftp',
        cluster: 'cluster1',
        server: 'sftp-server',
        clauses: [{ user: `user${at}`, vfs: `files${at}` }],
      },
    ],
  })),
});

const { post, planOf, applied, exported } = oneConfiguredManager();

/** Whether the manager works in another process at the moment. */
const hasProcess = (): boolean =>
  readdirSync('/proc/self/task').some((thread) =>
    childrenOf(thread).some((pid) => commandOf(pid).includes('configuration-program')),
  );

function childrenOf(thread: string): string[] {
  return textOf(`/proc/self/task/${thread}/children`).split(' ').filter(Boolean);
}

function commandOf(pid: string): string {
  return textOf(`/proc/${pid}/cmdline`);
}

/** Processes and threads may have ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

describe('a configuration of thousands of partners', () => {
  it('holds up no other request while it is planned, applied and exported, and when the platform has it', async () => {
    const loop = watchEventLoop();
    const plan = await planOf(partners(partnerCount));
    expect(plan.counts).toEqual({ created: 4 * partnerCount, modified: 0, deleted: 0 });
    const done = await applied(plan);
    expect(done.foldersCreated).toHaveLength(partnerCount);
    const [document] = await exported({ source: 'team', format: 'json' });
    expect((await planOf(document?.document ?? '')).changes).toEqual([]);
    // A small document is checked with everything that others own.
    expect((await planOf({ source: 'another' })).changes).toEqual([]);
    const emptied = await planOf({ source: 'team' });
    expect(emptied.counts).toEqual({ created: 0, modified: 0, deleted: 4 * partnerCount });
    await applied(emptied);
    // It takes this thread seconds otherwise. The test's own requests and answers are part of it.
    expect(loop.longestMs()).toBeLessThan(500);
  }, 240_000);

  it('is refused with the places of its errors', async () => {
    const [first, ...rest] = partners(200).actors;
    const document = { source: 'team', actors: [...rest, { ...first, colour: 'red' }] };
    const response = await post('plan', { document: JSON.stringify(document, undefined, 1) });
    expect([response.status, response.json()]).toEqual([
      400,
      expect.objectContaining({
        code: 'configuration_invalid',
        errors: [expect.objectContaining({ field: 'actors[199].colour' })],
      }),
    ]);
  });
});

it('a small configuration is planned and applied without another process, and a large one with one', async () => {
  const seen = new Set<boolean>();
  const timer = setInterval(() => seen.add(hasProcess()), 5);
  await applied(await planOf(partners(5)));
  expect([...seen]).toEqual([false]);
  await planOf(partners(200));
  clearInterval(timer);
  expect(seen).toContain(true);
});

describe('a small document that becomes large with its variables', () => {
  const variables = { A: 'b'.repeat(65_000) };
  const named = (count: number): string =>
    `source: s9\nmanager: {name: manager1}\nactors:\n - {name: "${'${A}'.repeat(count)}"}\n`;

  it('is not filled in this process, and is refused beyond the longest document', async () => {
    const loop = watchEventLoop();
    // The second would be longer than a text can be.
    for (const count of [3_900, 20_000]) {
      const response = await post('validate', { document: named(count), variables });
      expect([response.status, response.json()]).toEqual([
        413,
        expect.objectContaining({ code: 'configuration_too_large' }),
      ]);
    }
    expect(loop.longestMs()).toBeLessThan(500);
  }, 60_000);

  it('is checked in another process if its variables are short, but often named', async () => {
    const seen = new Set<boolean>();
    const timer = setInterval(() => seen.add(hasProcess()), 5);
    const response = await post('validate', { document: named(3_000), variables: { A: 'b'.repeat(100) } });
    clearInterval(timer);
    expect([response.status, response.json()]).toEqual([
      200,
      { isValid: false, errors: [expect.objectContaining({ field: 'actors[0].name', line: 4 })] },
    ]);
    expect(seen).toContain(true);
  }, 60_000);
});

it('a map of thousands of keys holds up no other request', async () => {
  const keys = (count: number): string => Array.from({ length: count }, (_, at) => `k${at}: 1`).join(', ');
  const loop = watchEventLoop();
  for (const count of [1_500, 100_000]) {
    const response = await post('validate', { document: `source: s9\nactors:\n - {${keys(count)}}\n` });
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ line: 3, column: 5 })]),
    });
  }
  expect(loop.longestMs()).toBeLessThan(500);
}, 60_000);

describe('a configuration that takes too much', () => {
  const limited = oneConfiguredManager({ CONFIGURATION_HEAP_MEBIBYTES: '64', CONFIGURATION_SECONDS: '20' });

  it.each([
    [
      'of millions of objects',
      `{"source":"team","actors":[${'{},'.repeat(5_000_000)}{}]}`,
      413,
      'configuration_too_large',
    ],
    [
      'of a million settings',
      `a: {${Array.from({ length: 300_000 }, (_, at) => `k${at}: 1`).join(', ')}}`,
      413,
      'configuration_too_large',
    ],
    ['of many thousand partners', JSON.stringify(partners(20_000)), 413, 'configuration_too_large'],
    ['of aliases of aliases', billionLaughs(), 400, 'configuration_invalid'],
    ['that is deep', `a: ${'['.repeat(20_000)}`, 400, 'configuration_invalid'],
  ])(
    '%s is refused, and the manager goes on',
    async (_, document, status, code) => {
      const answers = await Promise.all([
        limited.post('plan', { document }),
        limited.site.manager.client.get(`${prefix}/actors`, { bearer: limited.site.manager.admin }),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual([status, 200]);
      expect(answers[0].json()).toMatchObject({ code });
      const plan = (await limited.planOf(partners(1))) satisfies PlanView;
      expect(plan.counts.created).toBe(4);
    },
    120_000,
  );
});

/** Nine levels, each of which repeats the one before ten times. Large, so that it is not read by the manager itself. */
function billionLaughs(): string {
  const levels = Array.from(
    { length: 9 },
    (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(', ')}]`,
  );
  return ['a0: &a0 lol', ...levels, `# ${'x'.repeat(20_000)}`].join('\n');
}
