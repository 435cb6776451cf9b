import type { TokenIssuer } from '@waybill/access/token-issuer';
import {
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { changeExpiredPasswordEndpoint } from '@waybill/contracts/endpoints/access/change-expired-password';
import { changePasswordEndpoint } from '@waybill/contracts/endpoints/access/change-password';
import { linkOwnUserEndpoint } from '@waybill/contracts/endpoints/access/link-own-user';
import { listLoginMethodsEndpoint } from '@waybill/contracts/endpoints/access/list-login-methods';
import { listSigningKeysEndpoint } from '@waybill/contracts/endpoints/access/list-signing-keys';
import { logInEndpoint } from '@waybill/contracts/endpoints/access/log-in';
import { logOutEndpoint } from '@waybill/contracts/endpoints/access/log-out';
import {
  listLoginSessionsEndpoint,
  revokeLoginSessionEndpoint,
} from '@waybill/contracts/endpoints/access/login-session-endpoints';
import { readOwnPermissionsEndpoint } from '@waybill/contracts/endpoints/access/read-own-permissions';
import { refreshLoginEndpoint } from '@waybill/contracts/endpoints/access/refresh-login';
import { setFirstPasswordEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import { dryRunWorkflowEndpoint } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { readVfsUsageEndpoint } from '@waybill/contracts/endpoints/administration/read-vfs-usage';
import { listConnectionHealthEndpoint } from '@waybill/contracts/endpoints/connections/list-connection-health';
import { listWebhookDeliveriesEndpoint } from '@waybill/contracts/endpoints/deliveries/list-webhook-deliveries';
import {
  findWebhookDeliveryEndpoint,
  replayWebhookDeliveryEndpoint,
} from '@waybill/contracts/endpoints/deliveries/webhook-delivery-endpoints';
import {
  acknowledgeExpectationEndpoint,
  findExpectationEndpoint,
  listExpectationsEndpoint,
} from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import { changeJobsEndpoint } from '@waybill/contracts/endpoints/jobs/change-jobs';
import { approveJobEndpoint, rejectJobEndpoint } from '@waybill/contracts/endpoints/jobs/decide-approval';
import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import { followJobsEndpoint } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import { readJobHoursEndpoint } from '@waybill/contracts/endpoints/jobs/job-hours';
import { readJobStatisticsEndpoint } from '@waybill/contracts/endpoints/jobs/job-statistics';
import { listApprovalsEndpoint } from '@waybill/contracts/endpoints/jobs/list-approvals';
import { listJobHistoryEndpoint } from '@waybill/contracts/endpoints/jobs/list-job-history';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { resubmitJobEndpoint } from '@waybill/contracts/endpoints/jobs/resubmit-job';
import { resumeJobEndpoint } from '@waybill/contracts/endpoints/jobs/resume-job';
import { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import { readPlatformHealthEndpoint } from '@waybill/contracts/endpoints/platform/read-platform-health';
import { findQueueEndpoint } from '@waybill/contracts/endpoints/queues/find-queue';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { pauseQueueEndpoint } from '@waybill/contracts/endpoints/queues/pause-queue';
import { resumeQueueEndpoint } from '@waybill/contracts/endpoints/queues/resume-queue';
import type { Directory } from '@waybill/directory/directory';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { OpenAdministration } from './adapters/administration/open-administration.ts';
import type { OpenPlatformHealth } from './adapters/platform/open-platform-health.ts';
import type { ApiKeys } from './domain/access/api-keys.ts';
import { createLinkOwnUser } from './domain/access/link-own-user.ts';
import type { LoginSessions } from './domain/access/login-sessions.ts';
import type { Logins } from './domain/access/manage-logins.ts';
import type { OwnSecondFactors } from './domain/access/manage-second-factors.ts';
import type { OidcLogins } from './domain/access/oidc-logins.ts';
import type { OutsideNames } from './domain/access/outside-names.ts';
import type { LoginAttempt, ProvedIdentity } from './domain/access/prove-identity.ts';
import type { ReadVfsUsage } from './domain/administration/vfs-usage.ts';
import type { ListConnectionHealth } from './domain/connections/list-connection-health.ts';
import type { WebhookDeliveries } from './domain/deliveries/webhook-delivery.ts';
import type { Expectations } from './domain/expectations/expectation-state.ts';
import type { ChangeJobs } from './domain/jobs/change-jobs.ts';
import type { JobControl } from './domain/jobs/control-jobs.ts';
import type { JobRegister } from './domain/jobs/job-register.ts';
import type { SubmitJob } from './domain/jobs/submit-job.ts';
import type { ListApprovals } from './domain/jobs/waiting-approval.ts';
import type { FindWait } from './domain/queues/find-wait.ts';
import type { Queues } from './domain/queues/manage-queues.ts';
import type { RunStatisticsStore } from './domain/statistics/run-statistics.ts';
import type { DryRunWorkflow } from './domain/workflows/dry-runs/dry-run-workflow.ts';
import type { FindOutputs } from './domain/workflows/find-outputs.ts';
import type { JobManagerEvents } from './events.ts';
import {
  createCreateApiKeyHandler,
  createListApiKeysHandler,
  createRevokeApiKeyHandler,
} from './http/access/api-key-handlers.ts';
import { createChangeExpiredPasswordHandler } from './http/access/change-expired-password-handler.ts';
import { createChangePasswordHandler } from './http/access/change-password-handler.ts';
import { createLinkOwnUserHandler } from './http/access/link-own-user-handler.ts';
import { createListLoginMethodsHandler } from './http/access/list-login-methods-handler.ts';
import { createListSigningKeysHandler } from './http/access/list-signing-keys-handler.ts';
import { createLogInHandler } from './http/access/log-in-handler.ts';
import { createLogOutHandler } from './http/access/log-out-handler.ts';
import {
  createListLoginSessionsHandler,
  createRevokeLoginSessionHandler,
} from './http/access/login-session-handlers.ts';
import { createOidcRoutes } from './http/access/oidc-routes.ts';
import { createOutsideNameRoutes } from './http/access/outside-name-routes.ts';
import { readOwnPermissionsHandler } from './http/access/read-own-permissions-handler.ts';
import { createRefreshLoginHandler } from './http/access/refresh-login-handler.ts';
import { createSecondFactorRoutes } from './http/access/second-factor-handlers.ts';
import { createSetFirstPasswordHandler } from './http/access/set-first-password-handler.ts';
import { createAdministrationRoutes } from './http/administration/administration-routes.ts';
import { createDryRunWorkflowHandler } from './http/administration/dry-run-workflow-handler.ts';
import { type ConfigurationFollowing, followConfigurationRoute } from './http/administration/follow-configuration.ts';
import { createReadVfsUsageHandler } from './http/administration/read-vfs-usage-handler.ts';
import { createFollowJobsHandler } from './http/changes/follow-jobs-handler.ts';
import type { JobFollowers } from './http/changes/job-followers.ts';
import { createListConnectionHealthHandler } from './http/connections/list-connection-health-handler.ts';
import { createFindDeliveryHandler, createReplayDeliveryHandler } from './http/deliveries/delivery-handlers.ts';
import { createListDeliveriesHandler } from './http/deliveries/list-deliveries-handler.ts';
import {
  createAcknowledgeExpectationHandler,
  createFindExpectationHandler,
  createListExpectationsHandler,
} from './http/expectations/expectation-handlers.ts';
import { createAbortJobHandler } from './http/jobs/abort-job-handler.ts';
import { createChangeJobsHandler } from './http/jobs/change-jobs-handler.ts';
import { createApproveJobHandler, createRejectJobHandler } from './http/jobs/decide-approval-handlers.ts';
import { createFindJobHandler } from './http/jobs/find-job-handler.ts';
import { createListApprovalsHandler } from './http/jobs/list-approvals-handler.ts';
import { createListJobHistoryHandler } from './http/jobs/list-job-history-handler.ts';
import { createListJobsHandler } from './http/jobs/list-jobs-handler.ts';
import { createResubmitJobHandler } from './http/jobs/resubmit-job-handler.ts';
import { createResumeJobHandler } from './http/jobs/resume-job-handler.ts';
import { createSubmitJobHandler } from './http/jobs/submit-job-handler.ts';
import { createReadPlatformHealthHandler } from './http/platform/read-platform-health-handler.ts';
import {
  createFindQueueHandler,
  createListQueuesHandler,
  createPauseQueueHandler,
  createResumeQueueHandler,
} from './http/queues/queue-handlers.ts';
import { createReadJobHoursHandler } from './http/statistics/read-job-hours-handler.ts';
import { createReadJobStatisticsHandler } from './http/statistics/read-job-statistics-handler.ts';

/** What the routes need. */
export interface RouteParts extends OpenPlatformHealth, ConfigurationFollowing {
  readonly submitJob: SubmitJob;
  readonly register: JobRegister;
  readonly directory: Pick<Directory, 'findActor'>;
  readonly control: JobControl;
  readonly queues: Queues;
  readonly findWait: FindWait;
  readonly findOutputs: FindOutputs;
  readonly dryRunWorkflow: DryRunWorkflow;
  readonly readVfsUsage: ReadVfsUsage;
  readonly statistics: RunStatisticsStore;
  readonly expectations: Expectations;
  readonly deliveries: WebhookDeliveries;
  readonly listApprovals: ListApprovals;
  readonly listConnectionHealth: ListConnectionHealth;
  readonly changeJobs: ChangeJobs;
  readonly followers: JobFollowers;
  readonly logins: Logins;
  readonly apiKeys: ApiKeys;
  readonly loginSessions: LoginSessions;
  readonly secondFactors: OwnSecondFactors;
  /** Absent without an outside issuer: then its logins have no endpoints. */
  readonly oidcLogins: OidcLogins | undefined;
  readonly outsideNames: OutsideNames;
  readonly proveIdentity: (attempt: LoginAttempt) => Promise<ProvedIdentity>;
  readonly issuer: TokenIssuer;
  readonly events: JobManagerEvents;
  /** Absent without the rights of the operator: then the configuration has no endpoints. */
  readonly administration: OpenAdministration | undefined;
  /** Context path of the job endpoints. */
  readonly basePath: string;
}

/** All HTTP endpoints of this service. */
export function createRoutes(parts: RouteParts): Route[] {
  const { basePath } = parts;
  return [
    ...jobRoutes(parts).map((route) => ({ ...route, path: `${basePath}${route.path}` })),
    bindEndpoint(listLoginMethodsEndpoint, createListLoginMethodsHandler(parts)),
    bindEndpoint(logInEndpoint, createLogInHandler(parts)),
    bindEndpoint(refreshLoginEndpoint, createRefreshLoginHandler(parts)),
    bindEndpoint(logOutEndpoint, createLogOutHandler(parts)),
    bindEndpoint(changePasswordEndpoint, createChangePasswordHandler(parts)),
    bindEndpoint(changeExpiredPasswordEndpoint, createChangeExpiredPasswordHandler(parts)),
    bindEndpoint(setFirstPasswordEndpoint, createSetFirstPasswordHandler(parts)),
    ...createSecondFactorRoutes(parts.secondFactors),
    ...(parts.oidcLogins ? createOidcRoutes(parts.oidcLogins) : []),
    ...createOutsideNameRoutes(parts.outsideNames),
    bindEndpoint(listLoginSessionsEndpoint, createListLoginSessionsHandler(parts)),
    bindEndpoint(revokeLoginSessionEndpoint, createRevokeLoginSessionHandler(parts)),
    {
      ...bindEndpoint(readPlatformHealthEndpoint, createReadPlatformHealthHandler(parts)),
      authenticate: parts.authenticateInOutage,
    },
    bindEndpoint(readOwnPermissionsEndpoint, readOwnPermissionsHandler),
    bindEndpoint(createApiKeyEndpoint, createCreateApiKeyHandler(parts)),
    bindEndpoint(listApiKeysEndpoint, createListApiKeysHandler(parts)),
    bindEndpoint(revokeApiKeyEndpoint, createRevokeApiKeyHandler(parts)),
    followConfigurationRoute(parts),
    bindEndpoint(readVfsUsageEndpoint, createReadVfsUsageHandler(parts)),
    bindEndpoint(dryRunWorkflowEndpoint, createDryRunWorkflowHandler(parts)),
    bindEndpoint(listSigningKeysEndpoint, createListSigningKeysHandler(parts)),
    ...(parts.administration ? administrationRoutes(parts, parts.administration) : []),
  ];
}

function administrationRoutes({ proveIdentity }: RouteParts, open: OpenAdministration): Route[] {
  const linkOwnUser = createLinkOwnUser({ ...open, proveIdentity });
  return [
    ...createAdministrationRoutes(open),
    bindEndpoint(linkOwnUserEndpoint, createLinkOwnUserHandler(linkOwnUser)),
  ];
}

/** The job endpoints, without their context path. */
function jobRoutes(parts: RouteParts): Route[] {
  return [
    bindEndpoint(submitJobEndpoint, createSubmitJobHandler(parts)),
    bindEndpoint(listJobsEndpoint, createListJobsHandler(parts)),
    bindEndpoint(changeJobsEndpoint, createChangeJobsHandler(parts)),
    bindEndpoint(followJobsEndpoint, createFollowJobsHandler(parts)),
    bindEndpoint(findJobEndpoint, createFindJobHandler(parts)),
    bindEndpoint(listJobHistoryEndpoint, createListJobHistoryHandler(parts)),
    bindEndpoint(abortJobEndpoint, createAbortJobHandler(parts)),
    bindEndpoint(listApprovalsEndpoint, createListApprovalsHandler(parts)),
    bindEndpoint(approveJobEndpoint, createApproveJobHandler(parts)),
    bindEndpoint(rejectJobEndpoint, createRejectJobHandler(parts)),
    bindEndpoint(resumeJobEndpoint, createResumeJobHandler(parts)),
    bindEndpoint(resubmitJobEndpoint, createResubmitJobHandler(parts)),
    bindEndpoint(listQueuesEndpoint, createListQueuesHandler(parts)),
    bindEndpoint(findQueueEndpoint, createFindQueueHandler(parts)),
    bindEndpoint(pauseQueueEndpoint, createPauseQueueHandler(parts)),
    bindEndpoint(resumeQueueEndpoint, createResumeQueueHandler(parts)),
    bindEndpoint(listExpectationsEndpoint, createListExpectationsHandler(parts)),
    bindEndpoint(findExpectationEndpoint, createFindExpectationHandler(parts)),
    bindEndpoint(acknowledgeExpectationEndpoint, createAcknowledgeExpectationHandler(parts)),
    bindEndpoint(listWebhookDeliveriesEndpoint, createListDeliveriesHandler(parts)),
    bindEndpoint(findWebhookDeliveryEndpoint, createFindDeliveryHandler(parts)),
    bindEndpoint(replayWebhookDeliveryEndpoint, createReplayDeliveryHandler(parts)),
    bindEndpoint(listConnectionHealthEndpoint, createListConnectionHealthHandler(parts)),
    bindEndpoint(readJobStatisticsEndpoint, createReadJobStatisticsHandler(parts)),
    bindEndpoint(readJobHoursEndpoint, createReadJobHoursHandler(parts)),
  ];
}
