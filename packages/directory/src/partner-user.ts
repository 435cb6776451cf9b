import type { PublicKeyLine } from './public-key-line.ts';

/** A user of an actor, who logs in over SFTP and HTTP. */
export interface PartnerUser {
  readonly id: string;
  readonly name: string;
  readonly actorId: string;
  readonly actorName: string;
  /** A PHC string; `undefined` when the user has no password. */
  readonly passwordHash: string | undefined;
  readonly publicKeys: readonly PublicKeyLine[];
  readonly groups: readonly string[];
  /** SFTP sessions that may be open on one server; `null`: as many as the server says. */
  readonly maxSessions: number | null;
  /** A disabled user cannot log in, and loses what is open within a second. */
  readonly enabled: boolean;
}
