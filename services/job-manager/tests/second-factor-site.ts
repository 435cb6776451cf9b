import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import { afterEach, expect } from 'vitest';
import { z } from 'zod';
import { oneJobManager } from './test-managers.ts';

const keys = newKeyRingEntry();
const viewer = { username: 'viewer', password: 'viewer-demo' };
const api = '/platform-application/api/v1';

/** The tokens of a login. */
export const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string() });

/** The recovery codes in an answer. */
export const codesSchema = z.object({ recoveryCodes: z.array(z.string()) });

/** The error code in an answer. */
export const codeOf = (response: HttpResponse) => (response.json() as { code?: string }).code;

/** A job manager whose users have no second factor before each test of the calling file. */
export function secondFactorSite() {
  const site = oneJobManager({ ACCESS_SECRET_KEYS: keys });
  let addresses = 0;
  /** Each from a different address, unless one is given: the throttle counts by address. */
  const post = (path: string, json: object, address = `198.51.100.${(addresses += 1)}`) =>
    site.manager.client.post(`${api}/auth/${path}`, { json, headers: { 'x-forwarded-for': address } });
  const stored = (sql: string) => site.platform.database.query(sql);
  const begin = async (user: object = viewer): Promise<string> => {
    const response = await post('second-factor', user);
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
    return z.object({ secret: z.string().regex(/^[A-Z2-7]{32}$/u) }).parse(response.json()).secret;
  };
  afterEach(async () => {
    await stored('DELETE FROM access.second_factors');
  });
  return {
    site,
    keys,
    viewer,
    api,
    post,
    stored,
    begin,
    logIn: (code?: string, user: object = viewer) => post('login', { ...user, ...(code !== undefined && { code }) }),
    audited: async (code: string) =>
      (
        await site.platform.database.query(
          `SELECT payload FROM outbox.events WHERE payload ->> 'auditCode' = $1 ORDER BY id`,
          [code],
        )
      ).map(({ payload }) => payload as Record<string, unknown>),
    /** Sets one up, and lets the codes of the present steps be used again, as if time had gone by. */
    enable: async (user: object = viewer) => {
      const secret = await begin(user);
      const response = await post('second-factor/confirm', { ...user, code: codeOfApp(secret) });
      expect(response.status, response.text).toBe(200);
      await stored('UPDATE access.second_factors SET last_step = 0');
      return { secret, ...codesSchema.parse(response.json()) };
    },
  };
}
