import type { OwnedSchema } from '@waybill/postgres/migrate';
import { refreshTokens } from './migrations/0001-refresh-tokens.ts';
import { firstPasswordCodes } from './migrations/0002-first-password-codes.ts';

/** The schema of what outlives an access token. */
export const accessSchema: OwnedSchema = { schema: 'access', migrations: [refreshTokens, firstPasswordCodes] };
