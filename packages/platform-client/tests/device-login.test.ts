import { createClient } from '@waybill/platform-client/create-client';
import { logInOnDevice } from '@waybill/platform-client/credentials/device-login';
import { expect, it } from 'vitest';
import { repetition } from './call-against.ts';
import { type Answer, json, problem, reset, startScriptedServer } from './scripted-server.ts';

const claims = Buffer.from(JSON.stringify({ sub: 'jane' })).toString('base64url');
const tokens = json(200, { accessToken: `a.${claims}.c`, refreshToken: 'r', tokenType: 'Bearer', expiresIn: 900 });
const pending = json(202, { slowDown: false });
const away = problem(503, 'service_unavailable');

/** Logs in where the answers to the questions for the tokens are these. Gives what came of it, and when each question was asked. */
async function logInAgainst(answers: readonly Answer[], { interval = 0.02, expiresIn = 60 } = {}) {
  const begun = { deviceCode: 'd', userCode: 'WDJB-MJHT', verificationUri: 'https://login.example.org/device' };
  const times: number[] = [];
  const timed = answers.map((answer): Answer => (response, request) => {
    times.push(performance.now());
    answer(response, request);
  });
  await using server = await startScriptedServer([json(200, { ...begun, expiresIn, interval }), ...timed]);
  await using client = createClient({ url: server.url, repetition });
  const outcome = await logInOnDevice(client.call, () => undefined).then(
    ({ user }) => user,
    (error: unknown) => (error as { code: string }).code,
  );
  return { outcome, questions: times.length, pauses: times.slice(1).map((time, index) => time - (times[index] ?? 0)) };
}

it('a login goes on while the platform or the issuer is away for a moment, or its answer is lost', async () => {
  const cut: Answer = (response, { socket }) =>
    response.writeHead(200, { 'content-length': '99' }).write('{', () => socket.destroy());
  const answers = [pending, away, reset, problem(504, 'service_unavailable'), cut, pending, tokens];
  expect(await logInAgainst(answers)).toMatchObject({ outcome: 'jane', questions: 7 });
});

it('asks half as often after each failure, and as often as before once there is an answer', async () => {
  const { outcome, pauses } = await logInAgainst([away, away, away, pending, pending, tokens], { interval: 0.1 });
  expect(outcome).toBe('jane');
  for (const [index, atLeast] of [200, 400, 800, 100, 100].entries()) {
    expect(pauses[index]).toBeGreaterThan(atLeast * 0.95);
  }
  expect(pauses[3]).toBeLessThan(800);
});

it('waits as long as a refusal for too many requests asks for', async () => {
  const busy = problem(429, 'too_many_requests', { 'retry-after': '2' });
  const { outcome, pauses } = await logInAgainst([busy, tokens]);
  expect(outcome).toBe('jane');
  expect(pauses[0]).toBeGreaterThan(1_900);
});

it('ends with the refusal of the issuer, and with the last failure when the time is over', async () => {
  const refused = problem(401, 'oidc_login_refused');
  expect(await logInAgainst([away, refused])).toMatchObject({ outcome: 'oidc_login_refused', questions: 2 });
  const short = { expiresIn: 0.3 };
  expect(await logInAgainst([pending], short)).toMatchObject({ outcome: 'oidc_login_refused' });
  expect(await logInAgainst([away], short)).toMatchObject({ outcome: 'service_unavailable' });
  expect(await logInAgainst([problem(500, 'internal_error')])).toMatchObject({ outcome: 'internal_error' });
});
