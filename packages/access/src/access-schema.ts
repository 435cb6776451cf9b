import type { OwnedSchema } from '@waybill/postgres/migrate';
import { refreshTokens } from './migrations/0001-refresh-tokens.ts';
import { firstPasswordCodes } from './migrations/0002-first-password-codes.ts';
import { apiKeys } from './migrations/0003-api-keys.ts';
import { loginSessions } from './migrations/0004-login-sessions.ts';
import { secondFactors } from './migrations/0005-second-factors.ts';
import { outsideLogins } from './migrations/0006-outside-logins.ts';
import { partnerSecondFactors } from './migrations/0007-partner-second-factors.ts';
import { linkedLogins } from './migrations/0008-linked-logins.ts';
import { outsideNames } from './migrations/0009-outside-names.ts';
import { scopesOfApiKeys } from './migrations/0010-scopes-of-api-keys.ts';

/** The schema of refresh tokens, first-password codes, API keys and second factors. */
export const accessSchema: OwnedSchema = {
  schema: 'access',
  migrations: [
    refreshTokens,
    firstPasswordCodes,
    apiKeys,
    loginSessions,
    secondFactors,
    outsideLogins,
    partnerSecondFactors,
    linkedLogins,
    outsideNames,
    scopesOfApiKeys,
  ],
};
