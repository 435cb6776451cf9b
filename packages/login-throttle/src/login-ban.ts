import type { ThrottleScope } from './throttle-keys.ts';

/** Who is kept out: everybody at an address or, with a name, who tries that name from there. */
export interface BannedSubject {
  readonly address: string;
  readonly userName?: string;
}

/** A ban with its end. */
export interface LoginBan extends BannedSubject {
  /** The door at which it holds. */
  readonly scope: ThrottleScope;
  readonly until: Date;
}

/** The bans of one door. */
export interface LoginBans {
  /** True while everybody at the address is banned. */
  isBanned(address: string): Promise<boolean>;
  /** Those in force, the one that ends first in front. */
  list(): Promise<LoginBan[]>;
  /** Ends every ban of the address, those of single users there too; those that were in force. */
  lift(address: string): Promise<LoginBan[]>;
  /** Ends the bans of the user alone, from whatever address; those that were in force. */
  liftOfUser(userName: string): Promise<LoginBan[]>;
}
