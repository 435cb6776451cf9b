import { auditCatalogue, type AuditedFact } from './audit-catalogue.ts';

/** What is done to the content, the name and the metadata of files. */
const factsOfFiles = [
  'fileUploaded',
  'fileDownloaded',
  'fileRenamed',
  'fileDeleted',
  'fileExpired',
  'fileDamaged',
  'metadataChanged',
] as const satisfies readonly AuditedFact[];

/**
 * What partners, and the platform for them, do at the file servers. Records of a virtual file system belong to its actor, and the
 * others to the actor of their user: no fact is among these that a manager user causes, who may have the name of a partner's user.
 */
const factsOfPartners = [
  'serverLogin',
  'serverLogout',
  'serverLoginFailed',
  'loginTurnedAway',
  'legacyLogin',
  'serverSessionEnded',
  ...factsOfFiles,
  'folderChanged',
  'folderCreated',
  'folderRenamed',
  'folderDeleted',
  'uploadRefused',
  'downloadRefused',
  'fileDeleteRefused',
  'renameRefused',
  'metadataRefused',
  'metadataReadRefused',
  'folderListRefused',
  'folderCreateRefused',
  'folderDeleteRefused',
  'operationsRefused',
] as const satisfies readonly AuditedFact[];

/** What becomes of jobs and expectations, and what ends sessions, transfers and unfinished uploads. */
const factsOfOperation = [
  'loginsBanned',
  'sessionTerminated',
  'transferEnded',
  'uploadRemoved',
  'jobSubmitted',
  'jobFailed',
  'jobAborted',
  'jobResumed',
  'jobResubmitted',
  'jobApproved',
  'jobRejected',
  'expectationMissed',
  'expectationLate',
  'unexpectedFiles',
  'expectationAcknowledged',
  'webhookReplayed',
] as const satisfies readonly AuditedFact[];

/** The audit codes of the activity of partners. */
export const partnerActivityCodes = codesOf(factsOfPartners);

/** The audit codes of what is done to files. */
export const fileCodes = codesOf(factsOfFiles);

/** The audit codes of the activity of the whole platform: nothing of its administration is among them. */
export const activityCodes = [...partnerActivityCodes, ...codesOf(factsOfOperation)];

function codesOf(facts: readonly AuditedFact[]): readonly string[] {
  return facts.map((fact) => auditCatalogue[fact].code);
}
