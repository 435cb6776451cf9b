import type { AuditContext, AuditEvent } from './audit-event.ts';
import { auditLogCatalogue } from './audit-log-catalogue.ts';
import { type CatalogueEntry, entry } from './catalogue-entry.ts';
import { configurationCatalogue } from './configuration-catalogue.ts';
import { refusalCatalogue } from './refusal-catalogue.ts';
import { secondFactorCatalogue } from './second-factor-catalogue.ts';

/**
 * Everything that is audited, with its code and its text. The codes of failures and folders are next to related
 * ones.
 */
export const auditCatalogue = {
  entityCreated: entry(
    'MANAGER',
    1,
    'CREATE',
    'User {user} has created the {entityType} called {entityName} with id {entityId}',
  ),
  entityModified: entry(
    'MANAGER',
    3,
    'MODIFY',
    'User {user} has modified the {entityType} called {entityName} with id {entityId}',
  ),
  entityDeleted: entry(
    'MANAGER',
    5,
    'DELETE',
    'User {user} has deleted the {entityType} called {entityName} with id {entityId}',
  ),
  managerLogin: entry('MANAGER', 7, 'LOGIN', 'User {user} has logged into Waybill'),
  managerLoginFailed: entry('MANAGER', 8, 'LOGIN', 'User {user} failed to log into Waybill'),
  managerLogout: entry('MANAGER', 9, 'LOGOUT', 'User {user} has logged out from Waybill'),
  passwordChanged: entry('MANAGER', 10, 'PASSWORD CHANGE', 'Password changed for user {entityName}'),
  passwordChangeFailed: entry('MANAGER', 11, 'PASSWORD CHANGE', 'Password change failed for user {entityName}'),
  managerPasswordDue: entry(
    'MANAGER',
    17,
    'LOGIN',
    'User {user} did not log into Waybill: the password must be changed first',
  ),
  administratorRecovered: entry(
    'MANAGER',
    18,
    'MODIFY',
    'User {user} has recovered the administrator {entityName} on the server: {reason}',
  ),
  firstPasswordCodeIssued: entry(
    'MANAGER',
    19,
    'MODIFY',
    'User {user} has issued a code for the first password of user {entityName}',
  ),
  ...secondFactorCatalogue,
  managerLoginsBanned: entry('MANAGER', 12, 'LOGIN', 'Logins of {whom} from {address} are refused for {seconds} s'),
  managerTokensRenewed: entry('MANAGER', 13, 'LOGIN', 'User {user} has renewed the tokens of a login to Waybill'),
  jobSubmitted: entry(
    'MANAGER',
    20,
    'CREATE',
    'User {user} has submitted job {entityId} of {entityName} by the trigger {trigger}',
  ),
  jobFailed: entry('MANAGER', 21, 'MODIFY', 'Job {entityId} of {entityName} has failed: {reason}'),
  jobAborted: entry('MANAGER', 22, 'MODIFY', 'User {user} has aborted job {entityId} of {entityName}{reason}'),
  jobResumed: entry('MANAGER', 23, 'MODIFY', 'User {user} has resumed job {entityId} of {entityName}{reason}'),
  jobResubmitted: entry(
    'MANAGER',
    24,
    'CREATE',
    'User {user} has resubmitted job {former} of {entityName} as job {entityId}{reason}',
  ),
  jobApproved: entry('MANAGER', 25, 'MODIFY', 'User {user} has approved job {entityId} of {entityName}{reason}'),
  jobRejected: entry('MANAGER', 26, 'MODIFY', 'User {user} has rejected job {entityId} of {entityName}{reason}'),
  queuePaused: entry('MANAGER', 27, 'MODIFY', 'User {user} has paused the {entityType} {entityName}: {reason}'),
  queueResumed: entry('MANAGER', 28, 'MODIFY', 'User {user} has resumed the {entityType} {entityName}{reason}'),
  endedJobsRemoved: entry(
    'MANAGER',
    29,
    'DELETE',
    'Jobs {first} to {last} were removed: {count} jobs, of which the last one changed at {newest}, kept for {days} days',
  ),
  expectationMissed: entry(
    'MANAGER',
    70,
    'MODIFY',
    'Files of {entityName} that were due at {due} are missing: {files} of {expected} have come',
  ),
  expectationLate: entry(
    'MANAGER',
    71,
    'MODIFY',
    'The files of {entityName} that were due at {due} came late; the last one is {path}',
  ),
  unexpectedFiles: entry('MANAGER', 72, 'MODIFY', 'An unexpected file of {entityName} came before {due}: {path}'),
  expectationAcknowledged: entry(
    'MANAGER',
    73,
    'MODIFY',
    'User {user} has acknowledged that {entityName}, due at {due}, was {outcome}: {reason}',
  ),
  webhookReplayed: entry(
    'MANAGER',
    90,
    'CREATE',
    'User {user} has asked for a replay of the webhook delivery {former} of job {job} over {entityName} as delivery {entityId}',
  ),
  serverLogin: entry('ENGINE', 30, 'SERVER_LOGIN', 'User {user} has logged in'),
  serverLogout: entry('ENGINE', 31, 'SERVER_LOGOUT', 'User {user} has logged out'),
  serverLoginFailed: entry('ENGINE', 32, 'SERVER_LOGIN', 'User {user} failed to log in'),
  sessionTerminated: entry('ENGINE', 33, 'SERVER_LOGOUT', 'User {user} has ended session {session} of user {whose}'),
  loginTurnedAway: entry('ENGINE', 34, 'SERVER_LOGIN', 'User {user} was turned away: {reason}'),
  loginsBanned: entry('ENGINE', 35, 'SERVER_LOGIN', 'Logins of {whom} from {address} are refused for {seconds} s'),
  banLifted: entry('ENGINE', 36, 'DELETE', 'User {user} has lifted the ban of {whom} from {address}'),
  userFrozen: entry('ENGINE', 37, 'MODIFY', 'User {user} has frozen user {entityName}{reason}'),
  userThawed: entry('ENGINE', 38, 'MODIFY', 'User {user} has thawed user {entityName}'),
  legacyLogin: entry(
    'ENGINE',
    39,
    'SERVER_LOGIN',
    'User {user} has logged in with old algorithms of SSH: {algorithms}',
  ),
  fileRenamed: entry(
    'ENGINE',
    40,
    'SERVER_RENAME_FILE',
    'Server rename file from {path} FilesetId {fileset} to {newPath} FilesetId {newFileset}',
  ),
  fileUploaded: entry('ENGINE', 41, 'SERVER_UPLOAD_FILE', 'Server upload file {path} FilesetId {fileset}'),
  fileDownloaded: entry('ENGINE', 42, 'SERVER_DOWNLOAD_FILE', 'Server download file {path} FilesetId {fileset}'),
  fileDeleted: entry('ENGINE', 43, 'SERVER_DELETE_FILE', 'Server delete file {path} FilesetId {fileset}'),
  fileExpired: entry(
    'ENGINE',
    44,
    'SERVER_DELETE_FILE',
    'Server delete file {path} FilesetId {fileset} as it has expired: {rule}',
  ),
  fileDamaged: entry('ENGINE', 45, 'MODIFY', 'Stored content of file {path} FilesetId {fileset} is damaged: {problem}'),
  serverSessionEnded: entry('ENGINE', 46, 'SERVER_LOGOUT', 'User {user} has been logged out: {reason}'),
  metadataChanged: entry(
    'ENGINE',
    47,
    'MODIFY',
    'User {user} has changed metadata of file {path} FilesetId {fileset}: {keys}',
  ),
  filesVerified: entry(
    'ENGINE',
    49,
    'MODIFY',
    'User {user} has verified {count} stored contents of {entityName}: {damaged} files are damaged',
  ),
  folderChanged: entry('ENGINE', 50, 'SERVER_CHANGE_DIR', 'Server change folder to {path}'),
  folderCreated: entry('ENGINE', 51, 'SERVER_CREATE_DIR', 'Server create folder {path}'),
  folderRenamed: entry('ENGINE', 52, 'SERVER_RENAME_DIR', 'Server rename folder from {path} to {newPath}'),
  folderDeleted: entry('ENGINE', 53, 'SERVER_DELETE_DIR', 'Server delete folder {path}'),
  sshKeyAdded: entry('ENGINE', 54, 'MODIFY', 'User {user} has added the SSH key {fingerprint} to the own account'),
  sshKeyDeleted: entry('ENGINE', 55, 'MODIFY', 'User {user} has deleted the SSH key {fingerprint} of the own account'),
  userSshKeyDeleted: entry(
    'MANAGER',
    57,
    'MODIFY',
    'User {user} has deleted the SSH key {fingerprint}, which the user {entityName} had added',
  ),
  uploadRemoved: entry(
    'ENGINE',
    58,
    'DELETE',
    'User {user} has deleted the unfinished upload of {path} by user {whose}',
  ),
  transferEnded: entry('ENGINE', 59, 'MODIFY', 'User {user} has ended the {direction} of {path} by user {whose}'),
  ...configurationCatalogue,
  ...refusalCatalogue,
  ...auditLogCatalogue,
} as const satisfies Record<string, CatalogueEntry>;

/** One kind of audited event. */
export type AuditedFact = keyof typeof auditCatalogue;

/** Who did it where, and to what; `names` fill the text (`user`, `entityType`, `entityName` and `entityId` fill it too). */
export interface AuditedCircumstances {
  readonly user: string;
  readonly nodeId: string;
  readonly managerName: string;
  readonly entityType: string;
  readonly entityName: string;
  readonly entityId: string;
  readonly dfiid?: string | undefined;
  /** Members that are undefined are left out. */
  readonly context?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly names?: Readonly<Record<string, string>>;
}

/** The audit event for something that has just happened. */
export function composeAuditEvent(fact: AuditedFact, circumstances: AuditedCircumstances): AuditEvent {
  const { code, operation, clusterId, text } = auditCatalogue[fact];
  const { user, nodeId, managerName, entityType, entityName, entityId, dfiid, context, names } = circumstances;
  const known: Record<string, string> = { ...names, user, entityType, entityName, entityId };
  return {
    auditTime: new Date().toISOString(),
    clusterId,
    nodeId,
    module: `${managerName} AUDIT`,
    auditCode: code,
    auditOperation: operation,
    dataoneUser: user,
    entityType,
    entityName,
    entityId,
    auditMessage: text.replaceAll(/\{(\w+)\}/gu, (placeholder, name: string) => known[name] ?? placeholder),
    dfiid: dfiid ?? null,
    ...contextOf(context),
  };
}

function contextOf(context: AuditedCircumstances['context'] = {}): { context?: AuditContext } {
  const known = Object.entries(context).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return known.length === 0 ? {} : { context: Object.fromEntries(known) as AuditContext };
}
