import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Database } from '@waybill/postgres/database';

/** A refresh token as it is returned, once. */
export interface IssuedRefreshToken {
  readonly token: string;
  readonly userName: UserName;
  readonly expiresAt: Date;
  /** The login, in decimal: the same for all tokens of its family. */
  readonly sessionId: string;
  /** Those of a user whom an outside issuer has identified; none for users of the configuration, who have theirs there. */
  readonly roles?: readonly string[];
  /** Whom an outside issuer has identified. */
  readonly outside?: { readonly issuer: string; readonly subject: string };
}

/** A login of a user whom an outside issuer has identified. */
export interface OutsideLogin {
  readonly issuer: string;
  readonly subject: string;
  /** None for a user of the configuration. */
  readonly roles?: readonly string[];
  readonly lifetimeSeconds: number;
}

/** Long-lived tokens, each of which can be used once. Only their hashes are stored. */
export interface RefreshTokens {
  /** Starts a family: one login of one user, from an address. */
  issue(userName: UserName, address?: string, outside?: OutsideLogin): Promise<IssuedRefreshToken>;
  /**
   * Exchanges a token for the next one of its family, with the same expiry. A token that was used before has
   * leaked: it ends the whole family.
   * @throws CodedError `refresh_token_invalid`
   */
  rotate(token: string): Promise<IssuedRefreshToken>;
  /** Ends the family of the token; returns its user, or `undefined` if there was none. */
  revoke(token: string): Promise<UserName | undefined>;
  /** Ends every family of a user, for example after a change of password. */
  revokeAll(userName: UserName): Promise<void>;
}

interface FamilyRow {
  id: string;
  address: string | null;
  family: string;
  secret_hash: Buffer;
  user_name: UserName;
  rotated_at: Date | null;
  expires_at: Date;
  roles: string[] | null;
  issuer: string | null;
  subject: string | null;
}

const secretBytes = 32;

/** `<family>.<secret>`; the family is a random UUID that appears in its tokens only. */
const tokenForm = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/u;

/** Refresh tokens in schema `access`. A family lives `lifetimeSeconds` (30 days by default) from its login on. */
export function createRefreshTokens(options: { db: Database; lifetimeSeconds?: number }): RefreshTokens {
  const { db, lifetimeSeconds = 30 * 86_400 } = options;
  const families = () => db<FamilyRow>('access.refresh_tokens');

  return {
    issue: async (userName, address, outside) => {
      await families().where('expires_at', '<', db.fn.now()).delete();
      const family = randomUUID();
      const secret = newSecret();
      const { roles, issuer = null, subject = null } = outside ?? {};
      const expiresAt = new Date(Date.now() + (outside?.lifetimeSeconds ?? lifetimeSeconds) * 1_000);
      const [row] = await families()
        .insert({
          family,
          secret_hash: hashOf(secret),
          user_name: userName,
          expires_at: expiresAt,
          address: address ?? null,
          roles: roles === undefined ? null : [...roles],
          issuer,
          subject,
        })
        .returning(['id']);
      if (!row) throw new Error('no row came back for a login');
      return { token: `${family}.${secret}`, userName, expiresAt, sessionId: row.id, ...(roles && { roles }) };
    },
    rotate: async (token) => {
      const { family, secret } = parse(token);
      const next = newSecret();
      const [row] = await families()
        .where({ family, secret_hash: hashOf(secret) })
        .andWhere('expires_at', '>', db.fn.now())
        .update({ secret_hash: hashOf(next), rotated_at: db.fn.now() })

        .returning(['id', 'user_name', 'expires_at', 'roles', 'issuer', 'subject']);
      if (row) {
        return { token: `${family}.${next}`, ...issuedOf(row) };
      }
      await families().where({ family }).delete();
      throw new CodedError('refresh_token_invalid');
    },
    revoke: async (token) => {
      const family = tokenForm.exec(token)?.[1];
      const rows = family === undefined ? [] : await families().where({ family }).delete().returning(['user_name']);
      return rows.at(0)?.user_name;
    },
    revokeAll: async (userName) => {
      await families().where({ user_name: userName }).delete();
    },
  };
}

type IssuedColumns = Pick<FamilyRow, 'id' | 'user_name' | 'expires_at' | 'roles' | 'issuer' | 'subject'>;

function issuedOf({ id: sessionId, roles, issuer, subject, ...row }: IssuedColumns): Omit<IssuedRefreshToken, 'token'> {
  const outside = issuer === null || subject === null ? undefined : { issuer, subject };
  const rest = { ...(roles && { roles }), ...(outside && { outside }) };
  return { userName: row.user_name, expiresAt: row.expires_at, sessionId, ...rest };
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

function parse(token: string): { family: string; secret: string } {
  const [, family, secret] = tokenForm.exec(token) ?? [];
  if (family === undefined || secret === undefined) throw new CodedError('refresh_token_invalid');
  return { family, secret };
}

/** Secrets are random and long: a plain hash is enough, and can be compared by the database. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
