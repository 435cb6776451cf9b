import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRecords } from '../audited/read-records.ts';
import { type PlatformProcess, startPlatformProcess } from '../platform-process.ts';
import { runAtTerminal, waybillAt } from './waybill.ts';

const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let home: string;

beforeAll(async () => {
  platform = resources.use(await startPlatformProcess());
  home = resources.use(await createTestFolder()).path;
});
afterAll(() => resources.disposeAsync());

/** `waybill` at a terminal, where `answer` types what is asked for. */
const atTerminal = (args: readonly string[], answer: (question: string, out: string) => string) =>
  runAtTerminal(args, answer, { HOME: home, WAYBILL_PASSWORD: 'viewer-demo' });

const secretIn = (out: string): string => /^ {4}([A-Z2-7]{32})$/mu.exec(out)?.[1] ?? '';
const recoveryCodesIn = (out: string): string[] => out.match(/^ {4}(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/gmu) ?? [];
const refuseToAnswer = (question: string): never => {
  throw new Error(`nothing should be asked: ${question}`);
};

it('is set up at a terminal, asked for by a login, shown, and removed with a recovery code', async () => {
  const account = ['--url', platform.url, '--user', 'viewer'];
  const enabled = await atTerminal(['second-factor', 'enable', ...account], (_, out) => codeOfApp(secretIn(out)));
  expect([enabled.code, enabled.err]).toEqual([0, '']);
  expect(enabled.out).toContain(`otpauth://totp/Waybill:viewer?secret=${secretIn(enabled.out)}&`);
  const recoveryCodes = recoveryCodesIn(enabled.out);
  expect(recoveryCodes).toHaveLength(10);

  const withoutTerminal = await waybillAt(home)(['login', ...account], { env: { WAYBILL_PASSWORD: 'viewer-demo' } });
  expect(withoutTerminal).toMatchObject({ code: 2, err: expect.stringContaining('--one-time-code') });
  const questions: string[] = [];
  const login = await atTerminal(['login', ...account], (question) => {
    questions.push(question);
    return codeOfApp(secretIn(enabled.out), 1);
  });
  expect([login.code, login.err, questions]).toEqual([0, '', ['Code of the authenticator app, or a recovery code: ']]);
  const given = await atTerminal(
    ['login', ...account, '--one-time-code', recoveryCodes[0]?.trim() ?? ''],
    refuseToAnswer,
  );
  expect(given.code).toBe(0);
  expect((await atTerminal(['second-factor', 'show'], refuseToAnswer)).out).toMatch(
    /active .* 9 recovery codes left$/u,
  );
  const renewed = await atTerminal(['second-factor', 'new-codes', '--json'], () => recoveryCodes[1]?.trim() ?? '');
  const [fresh = ''] = (JSON.parse(renewed.out) as { recoveryCodes: string[] }).recoveryCodes;
  expect((await atTerminal(['second-factor', 'disable'], () => fresh.trim())).out).toBe(
    'The second factor was removed.',
  );
  expect(await atTerminal(['second-factor', 'disable'], () => fresh.trim())).toMatchObject({
    code: 2,
    err: expect.stringContaining('viewer has no second factor'),
  });
  expect((await atTerminal(['login', ...account], refuseToAnswer)).code).toBe(0);
});

it('is set up and removed with JSON for programs', async () => {
  const account = ['--url', platform.url, '--user', 'viewer', '--json'];
  const enabled = await atTerminal(['second-factor', 'enable', ...account], (_, out) =>
    codeOfApp((JSON.parse(out) as { secret: string }).secret),
  );
  const [enrolment, codes] = enabled.out.split('\n').map((line): unknown => JSON.parse(line));
  expect(enrolment).toEqual({ secret: expect.any(String), uri: expect.stringMatching(/^otpauth:/u) });
  const { recoveryCodes } = codes as { recoveryCodes: string[] };
  expect(recoveryCodes).toHaveLength(10);
  const disabled = await atTerminal(['second-factor', 'disable', ...account], () => recoveryCodes[0] ?? '');
  expect(JSON.parse(disabled.out)).toEqual({ user: 'viewer', removed: true });
});

it('is removed on the server with a reason, which is audited', async () => {
  const account = ['--url', platform.url, '--user', 'viewer'];
  await atTerminal(['second-factor', 'enable', ...account], (_, out) => codeOfApp(secretIn(out)));
  const env = parseEnv(await readFile(join(platform.folder, 'environments', 'waybill.env'), 'utf8'));
  const onServer = (...args: readonly string[]) =>
    waybillAt(platform.folder)(['user', 'reset-second-factor', ...args], { env: env as Record<string, string> });
  expect(await onServer('viewer')).toMatchObject({ code: 2, err: expect.stringContaining('--reason') });
  expect(await onServer('viewer', '--reason', 'the phone is lost')).toEqual({
    code: 0,
    out: 'viewer has no second factor any longer.\n',
    err: '',
  });
  expect(await onServer('viewer', '--reason', 'again')).toMatchObject({
    code: 1,
    err: expect.stringContaining('The user viewer has no second factor'),
  });
  expect((await atTerminal(['login', ...account], refuseToAnswer)).code).toBe(0);
  const token = await platform.adminToken();
  const removals = await waitFor(
    async () => {
      const found = (await readRecords(platform, token)).filter(
        ({ auditCode, context }) => auditCode === 'AUD0093A' && context?.['reason'] !== undefined,
      );
      return found.length === 0 ? undefined : found;
    },
    { what: 'the record of the removal with a reason' },
  );
  expect(removals.map(({ context }) => context?.['reason'])).toEqual(['the phone is lost']);
});
