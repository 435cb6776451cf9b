import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import { afterEach, describe, expect, test } from 'vitest';
import { twoPeers } from './test-peers.ts';

const keys = newKeyRingEntry();
const site = twoPeers({ env: { ACCESS_SECRET_KEYS: keys, LOGIN_FAILURES_PER_ADDRESS: '1000' } });
const path = '/2.0/account/second-factor';
let addresses = 0;

/** Each request comes from another address, so that no failure delays another. */
const fromSomewhere = () => ({ 'x-forwarded-for': `198.51.100.${(addresses += 1)}` });
const post = (to: string, json: object) =>
  createHttpClient(site.peer.url).post(`${path}${to}`, { json, headers: fromSomewhere() });
const logIn = (username: string, code?: string, at = site.peer) =>
  createHttpClient(at.url).post('/2.0/login/basic', {
    form: { username, password: `${username}-demo`, ...(code !== undefined && { code }) },
    headers: fromSomewhere(),
  });
const account = (username: string) => ({ username, password: `${username}-demo` });
const setPolicy = (partnerSecondFactor: string) =>
  site.rig.database.query(
    `INSERT INTO directory.account_policies (name, definition)
     VALUES ('default', jsonb_build_object('name', 'default', 'partnerSecondFactor', '${partnerSecondFactor}'))
     ON CONFLICT (name) DO UPDATE SET definition = excluded.definition`,
  );
const auditOf = async (user: string) =>
  (await site.rig.audited()).filter(({ dataoneUser }) => dataoneUser === user).map(({ auditCode }) => auditCode);

/** Sets up a second factor; the code of the present time step is used up. */
async function enrol(username: string) {
  const begun = await post('', account(username));
  expect(begun.status, begun.text).toBe(201);
  const { secret } = begun.json() as { secret: string };
  const confirmed = await post('/confirm', { ...account(username), code: codeOfApp(secret) });
  expect(confirmed.status, confirmed.text).toBe(200);
  return { secret, codes: (confirmed.json() as { recoveryCodes: string[] }).recoveryCodes };
}

afterEach(async () => {
  await site.rig.database.query('DELETE FROM directory.account_policies');
  await site.rig.database.query('DELETE FROM access.partner_second_factors');
});

describe('a second factor of a partner', () => {
  test('is asked for at every peer once it is set up, and is good once over all of them', async () => {
    await setPolicy('optional');
    const session = await site.peer.logIn('acme');
    const { secret, codes } = await enrol('acme');
    expect([new Set(codes).size, secret]).toEqual([10, expect.stringMatching(/^[A-Z2-7]{32}$/u)]);
    const due = await logIn('acme', undefined, site.other);
    expect([due.status, due.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'second_factor_required', errorType: 'authentication' }),
    ]);
    const code = codeOfApp(secret, 1);
    const both = await Promise.all([logIn('acme', code), logIn('acme', code, site.other)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await logIn('acme', code)).json()).toMatchObject({ code: 'second_factor_refused' });
    const recovery = await Promise.all([logIn('acme', codes[0]), logIn('acme', codes[0], site.other)]);
    expect(recovery.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const cookie = session.cookies.header() ?? '';
    const shown = await createHttpClient(site.other.url).get(path, { headers: { cookie } });
    expect(shown.json()).toMatchObject({ available: true, active: true, required: false, recoveryCodesLeft: 9 });
    const events = await auditOf('acme');
    expect(events).toEqual(expect.arrayContaining(['AUD0092A', 'AUD0032A']));
    expect((await createHttpClient(site.peer.url).get('/metrics')).text).toMatch(
      /waybill_http_logins_total\{outcome="second_factor_refused"[^}]*\} [1-9]/u,
    );
    const stored = await site.rig.database.query('SELECT ciphertext FROM access.partner_second_factors');
    expect(JSON.stringify(stored)).not.toContain(secret);
    const logged = [...site.peer.logLines, ...site.other.logLines].join('');
    for (const text of [secret, code, ...codes]) expect(logged).not.toContain(text);
  });

  test('is needed to change the password, to replace the recovery codes, and to remove it', async () => {
    await setPolicy('optional');
    const { codes } = await enrol('globex');
    const put = (more: object) =>
      createHttpClient(site.peer.url).put('/2.0/account/password', {
        json: { username: 'globex', currentPassword: 'globex-demo', newPassword: 'correct horse battery', ...more },
        headers: fromSomewhere(),
      });
    expect((await put({})).json()).toMatchObject({ code: 'second_factor_required' });
    expect((await put({ code: '000000' })).json()).toMatchObject({ code: 'second_factor_refused' });
    expect((await post('', account('globex'))).json()).toMatchObject({ code: 'second_factor_exists' });
    const renewed = await post('/recovery-codes', { ...account('globex'), code: codes[0] });
    const [next = ''] = (renewed.json() as { recoveryCodes: string[] }).recoveryCodes;
    expect((await logIn('globex', codes[1])).status).toBe(401);
    expect((await post('/remove', account('globex'))).json()).toMatchObject({ code: 'second_factor_required' });
    expect((await post('/remove', { ...account('globex'), code: next })).status).toBe(200);
    expect((await logIn('globex')).status).toBe(200);
    expect((await post('/remove', account('globex'))).json()).toMatchObject({ code: 'second_factor_absent' });
    expect(await auditOf('globex')).toEqual(expect.arrayContaining(['AUD0093A', 'AUD0094A']));
  });

  test('is demanded by the policy: the login is refused until it is set up with the password alone', async () => {
    await setPolicy('required');
    expect((await logIn('hooli')).json()).toMatchObject({ code: 'second_factor_setup_required' });
    const { codes } = await enrol('hooli');
    expect((await logIn('hooli', codes[0])).status).toBe(200);
    // Where the policy does not allow them any more, nobody is asked for codes.
    await setPolicy('off');
    expect((await logIn('hooli')).status).toBe(200);
  });

  test('cannot be set up where the policy does not allow it, nor with a wrong password or a wrong code', async () => {
    expect((await post('', account('initech'))).json()).toMatchObject({ code: 'second_factor_not_allowed' });
    await setPolicy('optional');
    expect((await post('', { username: 'initech', password: 'wrong' })).status).toBe(401);
    expect((await post('', { username: 'mallory', password: 'mallory-demo' })).status).toBe(401);
    expect((await post('/confirm', { ...account('initech'), code: '123456' })).status).toBe(401);
    await post('', account('initech'));
    expect((await post('/confirm', { ...account('initech'), code: '123456' })).status).toBe(401);
    // Nothing is in force before a code has confirmed it.
    expect((await logIn('initech')).status).toBe(200);
  });

  test('stops codes of the user, from any address, after ten wrong ones', async () => {
    await setPolicy('optional');
    const { codes } = await enrol('acme');
    for (let index = 0; index < 10; index += 1) expect((await logIn('acme', '000000')).status).toBe(401);
    const blocked = await logIn('acme', codes[0], site.other);
    expect([blocked.status, Number(blocked.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  });

  test.each([
    ['an empty code', { code: '' }],
    ['a huge code', { code: 'x'.repeat(65) }],
    ['a code that is no text', { code: 123_456 }],
    ['an unknown field', { code: '123456', more: true }],
  ])('refuses %s without counting it', async (_what, more) => {
    await setPolicy('optional');
    expect((await post('/confirm', { ...account('acme'), ...more })).status).toBe(400);
  });
});

test('a login without a second factor stays as it is: a code is ignored', async () => {
  expect((await logIn('acme', '123456')).status).toBe(200);
});
