import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { expect, it } from 'vitest';
import { interfaceAreas } from './interface-areas.ts';

/**
 * Who may call each endpoint, as it was decided: `tests/end-to-end/permission-matrix.test.ts` compares what the contracts say with what
 * the services do, and this table says what the contracts have to say. `none` and `any login` are decisions, too.
 */
const decided = new Map<string, string>([
  [
    'sessions:read, also of some actors',
    `
    queryServerSessions listServerSessions listHttpSessions listRunningTransfers
    listUnfinishedUploads`,
  ],
  [
    'sessions:delete, also of some actors',
    `
    terminateServerSession endHttpSession endRunningTransfer deleteUnfinishedUpload`,
  ],
  [
    'sessions:read',
    `
    followServerSessions`,
  ],
  [
    'freezes:read, also of some actors',
    `
    listUserFreezes findUserFreeze`,
  ],
  [
    'freezes:write, also of some actors',
    `
    freezeUser thawUser`,
  ],
  [
    'bans:read',
    `
    listLoginBans`,
  ],
  [
    'bans:delete',
    `
    liftLoginBan`,
  ],
  [
    'none',
    `
    listLoginMethods logIn refreshLogin logOut changeExpiredPassword setFirstPassword beginSecondFactor
    confirmSecondFactor renewRecoveryCodes removeSecondFactor beginOidcLogin finishOidcLogin beginOidcConsoleLogin
    finishOidcConsoleLogin beginOidcDeviceLogin finishOidcDeviceLogin listSigningKeys readConfigurationSchema
    openLoginSession describeUploadProtocol listReceiptKeys changeOwnPassword beginOwnSecondFactor
    confirmOwnSecondFactor renewOwnRecoveryCodes removeOwnSecondFactor readFilesOpenapi readFilesPage`,
  ],
  [
    'any login',
    `
    changePassword findSecondFactor readOwnPermissions listLoginSessions revokeLoginSession createApiKey
    listApiKeys revokeApiKey`,
  ],
  [
    'identities:write',
    `
    issueFirstPasswordCode linkOwnUser createAccountPolicy replaceAccountPolicy changeAccountPolicy createRole
    replaceRole changeRole createManagerUser replaceManagerUser changeManagerUser`,
  ],
  [
    'identities:delete',
    `
    resetSecondFactor releaseOutsideName deleteAccountPolicy deleteRole deleteManagerUser`,
  ],
  [
    'identities:read',
    `
    listOutsideNames exportConfiguration readConfigurationDrift listRoles findRole listManagerUsers
    findManagerUser findManagerSecondFactor`,
  ],
  [
    'health:read',
    `
    readPlatformHealth`,
  ],
  [
    'jobs:run, also of some actors',
    `
    submitJob`,
  ],
  [
    'jobs:read, also of some actors',
    `
    listJobs findJob listJobHistory listWebhookDeliveries findWebhookDelivery`,
  ],
  [
    'jobs:write, also of some actors',
    `
    abortJob resumeJob resubmitJob replayWebhookDelivery changeJobs`,
  ],
  [
    'approvals:run, also of some actors',
    `
    listApprovals approveJob rejectJob`,
  ],
  [
    'queues:read',
    `
    listQueues findQueue`,
  ],
  [
    'queues:write',
    `
    pauseQueue resumeQueue`,
  ],
  [
    'expectations:read, also of some actors',
    `
    listExpectations findExpectation`,
  ],
  [
    'expectations:write, also of some actors',
    `
    acknowledgeExpectation`,
  ],
  [
    'configuration:read, also of some actors',
    `
    listConnectionHealth followConfiguration listExpiries listActors findActor listUsers findUser listGroups
    findGroup listVirtualFileSystems findVirtualFileSystem listConnectionContracts findConnectionContract
    listClientConnections findClientConnection listPgpKeys findPgpKey listContracts findContract
    listContractExpectations findContractExpectation findUserSecondFactor listSecrets findSecret listConnectionSshKeys
    findConnectionSshKey listUserSshKeys explainAccess readVfsUsage dryRunWorkflow`,
  ],
  [
    'jobs:read',
    `
    readJobStatistics readJobHours followJobs`,
  ],
  [
    'configuration:write',
    `
    planConfiguration applyConfiguration adoptObjects releaseObjects forceObject changeObjects createCluster
    replaceCluster changeCluster createStorageClass replaceStorageClass changeStorageClass createQueueSettings
    replaceQueueSettings changeQueueSettings createWorkflowTemplate replaceWorkflowTemplate changeWorkflowTemplate
    createAccessTest replaceAccessTest changeAccessTest createClusterServer replaceClusterServer
    changeClusterServer deleteClusterServer`,
  ],
  [
    'configuration:read',
    `
    validateConfiguration listClusters findCluster listAccountPolicies findAccountPolicy listStorageClasses
    findStorageClass listQueueSettings findQueueSettings listWorkflowTemplates findWorkflowTemplate
    listAccessTests findAccessTest listClusterServers findClusterServer listWorkflowRevisions findWorkflowRevision`,
  ],
  [
    'configuration:delete',
    `
    deleteCluster deleteStorageClass deleteQueueSettings deleteWorkflowTemplate deleteAccessTest`,
  ],
  [
    'configuration:write, also of some actors',
    `
    createActor replaceActor changeActor createUser replaceUser changeUser createGroup replaceGroup changeGroup
    createVirtualFileSystem replaceVirtualFileSystem changeVirtualFileSystem createConnectionContract
    replaceConnectionContract changeConnectionContract createClientConnection replaceClientConnection
    changeClientConnection createPgpKey replacePgpKey changePgpKey createContract replaceContract changeContract
    createContractExpectation replaceContractExpectation changeContractExpectation deleteContractExpectation
    createSecret storeSecret changeSecret generateConnectionSshKey importConnectionSshKey`,
  ],
  [
    'configuration:delete, also of some actors',
    `
    deleteActor deleteUser deleteGroup deleteVirtualFileSystem deleteConnectionContract deleteClientConnection
    deletePgpKey deleteContract deleteSecret deleteConnectionSshKey deleteUserSshKey resetUserSecondFactor`,
  ],
  [
    'audit:read',
    `
    listAuditRecords countAuditRecords followAuditRecords verifyAuditRecord listAuditHolds exportAuditRecords
    readAuditCheckpoint listAuditKeys readAuditTile proveAuditRecord proveAuditConsistency`,
  ],
  [
    'activity:read, also of some actors',
    `
    listActivity countActivity`,
  ],
  [
    'audit:write',
    `
    redactAuditRecords placeAuditHold releaseAuditHold`,
  ],
  [
    'login-session',
    `
    uploadFile uploadFileWithMetadata downloadFile deleteFile updateMetadata readMetadata countElements listFolder
    readPermissions readSpace createFolder deleteFolder moveElement downloadArchive downloadSelection
    beginResumableUpload inspectResumableUpload continueResumableUpload terminateResumableUpload
    overrideUploadMethod readReceipt closeLoginSession findOwnAccount listOwnSshKeys addOwnSshKey deleteOwnSshKey
    listOwnSessions endOwnSession findOwnSecondFactor listOwnTransfers`,
  ],
]);

function callersOf({ authentication: by }: EndpointContract): string {
  if (by.kind !== 'bearer') return by.kind;
  if (by.permission === undefined) return 'any login';
  return by.ofActor === true ? `${by.permission}, also of some actors` : by.permission;
}

it('is decided for every endpoint, and no contract lets others call it', () => {
  const endpoints: readonly EndpointContract[] = Object.values(interfaceAreas).flatMap((area) => area.endpoints);
  const stated = endpoints.map((endpoint) => `${endpoint.id}: ${callersOf(endpoint)}`);
  const rows = [...decided].flatMap(([callers, ids]) =>
    ids
      .trim()
      .split(/\s+/u)
      .map((id) => `${id}: ${callers}`),
  );
  expect(stated.toSorted()).toEqual(rows.toSorted());
});
