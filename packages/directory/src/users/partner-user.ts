import type { LegacyAlgorithm } from '@waybill/contracts/configuration/legacy-algorithm';
import type { Authentication } from '@waybill/contracts/configuration/user-configuration';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { PublicKeyLine } from './public-key-line.ts';

/** A public key that a user may log in with. */
export interface UserKey {
  readonly key: PublicKeyLine;
  readonly comment?: string;
  /** The instant from which on it is not good any more, in ISO 8601. */
  readonly expires?: string;
}

/** Old algorithms of SSH that a user may use until an instant, in ISO 8601. */
export interface LegacyException {
  readonly allow: readonly LegacyAlgorithm[];
  readonly until: string;
}

/** A user of an actor, who logs in over SFTP and HTTP. */
export interface PartnerUser {
  readonly id: string;
  readonly name: UserName;
  readonly actorId: string;
  readonly actorName: string;
  /** A PHC string; `undefined` when the user has no password. */
  readonly passwordHash: string | undefined;
  /** Also those that have expired. */
  readonly publicKeys: readonly UserKey[];
  /** What a login over SFTP requires. */
  readonly authentication: Authentication;
  /** Also when it has expired. */
  readonly legacyAlgorithms: LegacyException | undefined;
  readonly groups: readonly string[];
  /** SFTP sessions that may be open on one server; `null`: as many as the server says. */
  readonly maxSessions: number | null;
  /** False also while the user is frozen. A disabled user cannot log in, and loses what is open within a second. */
  readonly enabled: boolean;
  /** Rises whenever the user is frozen or disabled: what was opened in an earlier epoch is over for good. */
  readonly loginEpoch: number;
  /** Rises with each change of what the rights of users follow from: what is said here was true at this version. */
  readonly accessVersion: number;
}
