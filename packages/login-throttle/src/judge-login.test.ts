import { userNameSchema } from '@waybill/contracts/values/user-name';
import { expect, it } from 'vitest';
import { judgeLogin } from './judge-login.ts';
import { exemptNetworks, type LoginThrottle } from './login-throttle.ts';

const attempt = { userName: userNameSchema.parse('acme'), clientAddress: '192.0.2.1' };

function createNotes() {
  const notes: string[] = [];
  const throttle: LoginThrottle = {
    admit: async () => void notes.push('admitted'),
    settle: async (_attempt, outcome) => void notes.push(outcome),
  };
  return { notes, throttle };
}

it('reports to the throttle whether a login succeeded, failed, or was not checked', async () => {
  const { notes, throttle } = createNotes();
  expect(await judgeLogin(throttle, attempt, async () => 'a user')).toBe('a user');
  expect(await judgeLogin(throttle, attempt, async () => undefined)).toBeUndefined();
  const outage = judgeLogin(throttle, attempt, () => Promise.reject(new Error('the database is away')));
  await expect(outage).rejects.toThrow('the database is away');
  expect(notes).toEqual(['admitted', 'passed', 'admitted', 'failed', 'admitted', 'not judged']);
});

it('does not ask anything about who is not admitted, and settles nothing', async () => {
  const { notes, throttle } = createNotes();
  const refusing = { ...throttle, admit: () => Promise.reject(new Error('too many')) };
  const judged = judgeLogin(refusing, attempt, async () => notes.push('asked'));
  await expect(judged).rejects.toThrow('too many');
  expect(notes).toEqual([]);
});

it('counts nothing of an exempt network', async () => {
  const { notes, throttle } = createNotes();
  const exempting = exemptNetworks(throttle, (address) => address === '192.0.2.1');
  await judgeLogin(exempting, attempt, async () => undefined);
  expect(notes).toEqual([]);
  await judgeLogin(exempting, { ...attempt, clientAddress: '192.0.2.2' }, async () => undefined);
  expect(notes).toEqual(['admitted', 'failed']);
});
