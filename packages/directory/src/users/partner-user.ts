import type { LegacyAlgorithm } from '@waybill/contracts/configuration/legacy-algorithm';
import type { Authentication } from '@waybill/contracts/configuration/user-configuration';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Memberships } from './memberships.ts';
import type { PublicKeyLine } from './public-key-line.ts';

/** A public key that a user may log in with. */
export interface UserKey {
  readonly key: PublicKeyLine;
  readonly comment?: string;
  /** The instant at which it expires, in ISO 8601. */
  readonly expires?: string;
}

/** Old SSH algorithms that a user may use until an instant, in ISO 8601. */
export interface LegacyException {
  readonly allow: readonly LegacyAlgorithm[];
  readonly until: string;
}

/** A user of an actor, who logs in over SFTP and HTTP, with what the groups of the user set. */
export interface PartnerUser extends Memberships {
  readonly id: string;
  readonly name: UserName;
  readonly actorId: string;
  readonly actorName: string;
  /** A PHC string; `undefined` if the user has no password. */
  readonly passwordHash: string | undefined;
  /** Including expired keys. */
  readonly publicKeys: readonly UserKey[];
  /** What a login over SFTP requires. */
  readonly authentication: Authentication;
  /** Even if it has expired. */
  readonly legacyAlgorithms: LegacyException | undefined;
  /** SFTP sessions that may be open on one server; `null`: the limit of the server applies. */
  readonly maxSessions: number | null;
  /** The instant at which the account ends, in ISO 8601. */
  readonly expires: string | undefined;
  /**
   * False also while the user is frozen, and after the account has ended. A disabled user cannot log in, and open sessions and transfers end within a
   * second.
   */
  readonly enabled: boolean;
  /** Increases whenever the user is frozen or disabled: sessions of an earlier epoch are invalid. */
  readonly loginEpoch: number;
  /** Increases with each change of the data from which permissions are derived. This user was read at this version. */
  readonly accessVersion: number;
}
