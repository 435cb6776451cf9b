import type { UserName } from '@waybill/contracts/values/user-name';
import type { CountedNetwork } from '@waybill/service-kit/network/counted-network';
import type { LoginAttempt } from './login-throttle.ts';

/** All interfaces. */
export const throttleScopes = ['http', 'manager', 'sftp'] as const;

/** An interface with its own counts: failures at one do not block another. */
export type ThrottleScope = (typeof throttleScopes)[number];

/** The subject of a ban: every client at an address or, with a name, logins of this user from there. */
export interface BannedSubject {
  /** An IPv4 address, or the IPv6 network that counts as one client. */
  readonly address: CountedNetwork;
  readonly userName?: UserName;
}

/** A ban with its end. */
export interface LoginBan extends BannedSubject {
  /** The interface to which it applies. */
  readonly scope: ThrottleScope;
  readonly until: Date;
}

/** The bans of one interface. */
export interface LoginBans {
  /** True while every user at the client's address is banned. */
  isBanned(clientAddress: string): Promise<boolean>;
  /** The ban that refuses a login: that of the address, or that of the user at it. */
  find(attempt: LoginAttempt): Promise<LoginBan | undefined>;
  /** The current bans, the one that ends first at the top. */
  list(): Promise<LoginBan[]>;
  /**
   * Ends every ban of an address or network, including those of single users there; returns the ended bans. An IPv6
   * address means the network that contains it.
   */
  lift(address: string): Promise<LoginBan[]>;
  /** Ends only the bans of the user, at any address; returns the ended bans. */
  liftOfUser(userName: UserName): Promise<LoginBan[]>;
}
