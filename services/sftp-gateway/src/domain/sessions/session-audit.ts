import type { CodedError } from '@waybill/contracts/errors/coded-error';
import type { AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import type { refusalCatalogue } from '@waybill/contracts/messages/refusal-catalogue';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';
import type { CausingClient } from '@waybill/service-kit/telemetry/correlation';
import type { LoginEvidence, ServerSession } from './server-session.ts';
import type { TerminationOrder } from './session-terminator.ts';

/** A login that was refused. */
export interface AuditedAttempt extends LoginEvidence {
  readonly userName: UserName;
  readonly client: CausingClient;
}

/** A look into another folder. */
export interface FolderChange {
  readonly userName: UserName;
  readonly path: string;
  readonly sessionId: string;
  readonly client: CausingClient;
  readonly virtualFileSystem: string | undefined;
}

/** What is audited of a refused operation on files. */
export type RefusedFact = Extract<AuditedFact, keyof typeof refusalCatalogue>;

/** An operation on files, which may be refused. */
export interface RefusedOperation {
  readonly fact: RefusedFact;
  /** As the client gave it, printable. */
  readonly path: string;
  /** The new path of a rename. */
  readonly newPath?: string;
}

/** A refused operation of a session. */
export interface SessionRefusal extends RefusedOperation, Omit<FolderChange, 'path'> {
  readonly error: CodedError;
}

/** Audits the events of sessions. Each call resolves when the event is stored durably. */
export interface SessionAudit {
  loggedIn(session: ServerSession, evidence: LoginEvidence): Promise<void>;
  /** The connection of the login uses legacy algorithms, by an exception. */
  legacyUsed(session: ServerSession, algorithms: readonly string[]): Promise<void>;
  /** `reason` is given if neither the client nor an administrator ended the session. */
  loggedOut(session: ServerSession, reason?: string): Promise<void>;
  loginFailed(attempt: AuditedAttempt): Promise<void>;
  /** The credentials were not wrong; the login was refused for another reason. */
  turnedAway(attempt: AuditedAttempt, reason: CodedError): Promise<void>;
  loginsBanned(subject: BannedSubject, seconds: number): Promise<void>;
  banLifted(subject: BannedSubject, liftedBy: string): Promise<void>;
  /** The user accesses another folder than before. */
  folderChanged(change: FolderChange): Promise<void>;
  terminated(session: ServerSession, order: TerminationOrder): Promise<void>;
  /** Records or counts a refused operation. It never rejects. */
  refused(refusal: SessionRefusal): Promise<void>;
}
