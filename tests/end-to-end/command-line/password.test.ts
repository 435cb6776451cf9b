import { beforeAll, expect, it } from 'vitest';
import { oneLoggedIn } from './one-platform.ts';
import { type Outcome, runAtTerminal } from './waybill.ts';

const site = oneLoggedIn();
const first = 'a first password';

beforeAll(async () => {
  const due = { password: first, passwordChangeRequired: true };
  const managers = ['mia', 'max', 'mo'].map((name) => ['manager-users', { name, roles: ['Users'], ...due }] as const);
  const partners = ['pia', 'pit'].map((name) => ['users', { name, actor: 'acme', ...due }] as const);
  for (const [collection, settings] of [...managers, ...partners]) {
    const input = JSON.stringify(settings);
    const { code, err } = await site.waybill(['objects', 'create', collection], { input });
    if (code !== 0) throw new Error(err);
  }
});

/** The account that a command names, as its options. */
const as = (user: string, ...more: readonly string[]) => ['--url', site.platform.url, '--user', user, ...more];

/** `waybill` at a terminal, where a person types these answers one after the other. */
async function typing(answers: readonly string[], args: readonly string[]): Promise<Outcome & { asked: string[] }> {
  const asked: string[] = [];
  const answer = (question: string): string => answers[asked.push(question) - 1] ?? '';
  const outcome = await runAtTerminal(args, answer, { HOME: site.home });
  return { ...outcome, asked };
}

it.each([
  ['a manager user', ['mia'], ['status']],
  ['a partner', ['pia', '--partner'], ['logout']],
] as const)('a login of %s asks for a new password if one is due, and goes on with it', async (_, who, use) => {
  const [user, ...side] = who;
  const chosen = 'a better password';
  const wrong = await typing([first, chosen, 'another'], ['login', ...as(user, ...side)]);
  expect([wrong.code, wrong.err]).toEqual([
    2,
    'You must change your password\nwaybill login: the new passwords differ: nothing is changed',
  ]);
  const login = await typing([first, chosen, chosen], ['login', ...as(user, ...side), '--context', user, '--json']);
  expect([login.code, login.err]).toEqual([0, 'You must change your password']);
  expect(login.asked).toEqual([`Password of ${user}: `, `New password of ${user}: `, 'The new password again: ']);
  expect(JSON.parse(login.out)).toMatchObject({ context: user, user, side: side.length > 0 ? 'partner' : 'manager' });
  expect(await site.waybill([...use, '--context', user])).toMatchObject({ code: 0, err: '' });
});

it.each([
  ['a manager user', ['max']],
  ['a partner', ['pit', '--partner']],
] as const)(
  '%s changes a password with two lines of standard input, where a login only says that it is due',
  async (_, who) => {
    const [user, ...side] = who;
    const refused = await site.waybill(['login', ...as(user, ...side)], { input: `${first}\n` });
    expect(refused).toEqual({
      code: 4,
      out: '',
      err: `waybill login: You must change your password
  Change it: \`waybill password --url <platform> --user <name>\`, for a partner with --partner. Then log in again.
`,
    });
    const short = await site.waybill(['password', ...as(user, ...side)], { input: `${first}\nshort\n` });
    expect([short.code, short.out]).toEqual([1, '']);
    expect(short.err).toContain('needs 12 characters or more');
    const only = await site.waybill(['password', ...as(user, ...side)], { input: `${first}\n` });
    expect([only.code, only.err]).toEqual([2, expect.stringContaining('give the new password on standard input')]);
    const chosen = 'a better password';
    const changed = await site.waybill(['password', ...as(user, ...side), '--json'], {
      input: `${first}\r\n${chosen}`,
    });
    expect([changed.err, JSON.parse(changed.out)]).toEqual(['', { user, changed: true }]);
    expect((await site.waybill(['login', ...as(user, ...side)], { input: first })).code).toBe(4);
    expect((await site.waybill(['login', ...as(user, ...side)], { input: chosen })).code).toBe(0);
  },
);

it('is changed at a terminal for the user of a context, whose login ends', async () => {
  await typing([first, 'a second password', 'a second password'], ['login', ...as('mo'), '--context', 'mo']);
  const args = ['password', '--context', 'mo'];
  const changed = await typing(['a second password', 'a third password', 'a third password'], args);
  expect([changed.code, changed.err, changed.asked.length]).toEqual([0, '', 3]);
  expect(changed.out).toContain('Log in again: `waybill login`');
  const { code, err } = await site.waybill(['logins', 'list', '--context', 'mo']);
  expect([code, err]).toEqual([4, expect.stringContaining('Log in again')]);
  const env = { WAYBILL_PASSWORD: 'a third password' };
  expect((await site.waybill(args, { env, input: 'a fourth password\n' })).code).toBe(0);
});
