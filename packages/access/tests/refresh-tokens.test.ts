import { accessSchema } from '@waybill/access/access-schema';
import { createRefreshTokens, type RefreshTokens } from '@waybill/access/refresh-tokens';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const named = (name: string) => userNameSchema.parse(name);

let database: TestDatabase;
let db: Database;
let tokens: RefreshTokens;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPostgres({ url: database.url, applicationName: 'test' });
  await migrate(db, accessSchema);
  tokens = createRefreshTokens({ db });
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const invalid = { code: 'refresh_token_invalid' };

describe('a refresh token', () => {
  it('is good once, and its family keeps its expiry', async () => {
    const first = await tokens.issue(named('admin'));
    const second = await tokens.rotate(first.token);
    expect(second).toMatchObject({ userName: 'admin', expiresAt: first.expiresAt });
    expect(await tokens.rotate(second.token)).toMatchObject({ userName: 'admin' });
  });

  it('ends its whole family when it is used twice', async () => {
    const first = await tokens.issue(named('admin'));
    const second = await tokens.rotate(first.token);
    await expect(tokens.rotate(first.token)).rejects.toMatchObject(invalid);
    await expect(tokens.rotate(second.token)).rejects.toMatchObject(invalid);
  });

  it('gives one successor at most to many that use it at once, and then the family ends', async () => {
    const { token } = await tokens.issue(named('admin'));
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => tokens.rotate(token)));
    const successors = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.token] : []));
    expect(successors).toHaveLength(1);
    await expect(tokens.rotate(successors[0] ?? '')).rejects.toMatchObject(invalid);
  });

  it('does not touch other logins of the same user', async () => {
    const [stolen, other] = [await tokens.issue(named('admin')), await tokens.issue(named('admin'))];
    await tokens.rotate(stolen.token);
    await expect(tokens.rotate(stolen.token)).rejects.toMatchObject(invalid);
    expect(await tokens.rotate(other.token)).toMatchObject({ userName: 'admin' });
  });

  it('ends at a logout, and on request with all others of the user', async () => {
    const [one, other] = [await tokens.issue(named('viewer')), await tokens.issue(named('viewer'))];
    expect(await tokens.revoke(one.token)).toBe('viewer');
    expect(await tokens.revoke(one.token)).toBeUndefined();
    await expect(tokens.rotate(one.token)).rejects.toMatchObject(invalid);
    await tokens.revokeAll(named('viewer'));
    await expect(tokens.rotate(other.token)).rejects.toMatchObject(invalid);
  });

  it('expires', async () => {
    const { token } = await createRefreshTokens({ db, lifetimeSeconds: -1 }).issue(named('admin'));
    await expect(tokens.rotate(token)).rejects.toMatchObject(invalid);
  });

  it.each(['', 'x', `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.${'A'.repeat(43)}`, "'; DROP TABLE x; --"])(
    'is refused if it is invalid: %s',
    async (token) => {
      await expect(tokens.rotate(token)).rejects.toMatchObject(invalid);
      expect(await tokens.revoke(token)).toBeUndefined();
    },
  );

  it('is not to be found in the database', async () => {
    const { token } = await tokens.issue(named('admin'));
    const secret = token.split('.')[1] ?? token;
    const rows = await database.query('SELECT t::text AS row FROM access.refresh_tokens t');
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
  });
});
