import type { OwnedSchema } from '@waybill/postgres/migrate';
import { refreshTokens } from './migrations/0001-refresh-tokens.ts';
import { firstPasswordCodes } from './migrations/0002-first-password-codes.ts';
import { apiKeys } from './migrations/0003-api-keys.ts';
import { loginSessions } from './migrations/0004-login-sessions.ts';

/** The schema of refresh tokens, first-password codes and API keys. */
export const accessSchema: OwnedSchema = {
  schema: 'access',
  migrations: [refreshTokens, firstPasswordCodes, apiKeys, loginSessions],
};
