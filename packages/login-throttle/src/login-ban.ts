import type { UserName } from '@waybill/contracts/values/user-name';
import type { CountedNetwork } from '@waybill/service-kit/network/counted-network';

/** All doors. */
export const throttleScopes = ['http', 'manager', 'sftp'] as const;

/** Separates the doors: failures at one do not close another. */
export type ThrottleScope = (typeof throttleScopes)[number];

/** Who is kept out: everybody at an address or, with a name, who tries that name from there. */
export interface BannedSubject {
  /** An IPv4 address, or the IPv6 network that counts as one client. */
  readonly address: CountedNetwork;
  readonly userName?: UserName;
}

/** A ban with its end. */
export interface LoginBan extends BannedSubject {
  /** The door at which it holds. */
  readonly scope: ThrottleScope;
  readonly until: Date;
}

/** The bans of one door. */
export interface LoginBans {
  /** True while everybody at the client's address is banned. */
  isBanned(clientAddress: string): Promise<boolean>;
  /** Those in force, the one that ends first in front. */
  list(): Promise<LoginBan[]>;
  /**
   * Ends every ban of an address or network, including those of single users there; returns the bans that were in
   * force. An IPv6 address means the network that contains it.
   */
  lift(address: string): Promise<LoginBan[]>;
  /** Ends only the bans of the user, at any address; returns the bans that were in force. */
  liftOfUser(userName: UserName): Promise<LoginBan[]>;
}
