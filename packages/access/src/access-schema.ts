import type { OwnedSchema } from '@waybill/postgres/migrate';
import { refreshTokens } from './migrations/0001-refresh-tokens.ts';
import { firstPasswordCodes } from './migrations/0002-first-password-codes.ts';

/** The schema of refresh tokens and first-password codes. */
export const accessSchema: OwnedSchema = { schema: 'access', migrations: [refreshTokens, firstPasswordCodes] };
