import { verifyPassword } from '@waybill/access/verify-password';
import { type UserName, userNameSchema } from '@waybill/contracts/values/user-name';
import type { Database } from '@waybill/postgres/database';
import type { Directory } from '../directory.ts';
import { findManagerUser } from '../queries/find-manager-user.ts';
import { findPartnerUser } from '../queries/find-partner-user.ts';
import { isAllowedFrom } from '../users/allowed-networks.ts';
import { sufficesForLogin } from '../users/login-ways.ts';
import { demoPasswords, type DemoPasswordRefusal, isDemoPassword } from './demo-passwords.ts';

type Authenticators = Pick<
  Directory,
  'authenticatePartnerUser' | 'verifyPartnerPassword' | 'authenticateManagerUser' | 'reportDemoPasswords'
>;

interface Authenticated {
  readonly name: string;
  readonly passwordHash: string | undefined;
  readonly enabled: boolean;
}

/** Verifies passwords of users. With a `refusal`, passwords of the demo are refused for every user. */
export function createAuthenticators(db: Database, refusal: DemoPasswordRefusal | undefined): Authenticators {
  const authenticated = async <U extends Authenticated>(user: U | undefined, password: string) => {
    const found = await verified(user, password);
    if (found === undefined || refusal === undefined || !isDemoPassword(password)) return found;
    refusal.refused(found.name);
    return undefined;
  };
  const partner = async (name: UserName, password: string, address: string) => {
    const user = await authenticated(await findPartnerUser(db, name), password);
    return user && isAllowedFrom(user.networks, address) ? user : undefined;
  };
  return {
    authenticatePartnerUser: async (name, password, address) => {
      const user = await partner(name, password, address);
      return user && sufficesForLogin(user.authentication, { password: true, key: false }) ? user : undefined;
    },
    verifyPartnerPassword: partner,
    authenticateManagerUser: async (name, password) => authenticated(await findManagerUser(db, name), password),
    reportDemoPasswords: async (kind) => {
      if (refusal === undefined) return;
      const find = kind === 'manager' ? findManagerUser : findPartnerUser;
      const logins = Object.entries(demoPasswords[kind]);
      await Promise.all(
        logins.map(async ([name, password]) =>
          authenticated<Authenticated>(await find(db, userNameSchema.parse(name)), password),
        ),
      );
    },
  };
}

/** The work is the same for users who may not log in, so that the time does not reveal which users exist. */
async function verified<U extends Authenticated>(user: U | undefined, password: string): Promise<U | undefined> {
  const matches = await verifyPassword(user?.passwordHash, password);
  return matches && user?.enabled === true ? user : undefined;
}
