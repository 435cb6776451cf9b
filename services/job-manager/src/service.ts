import { tokenKeyStore } from '@waybill/access/signing-key';
import type { Directory } from '@waybill/directory/directory';
import { openDirectory } from '@waybill/directory/open-directory';
import { createFilebox } from '@waybill/filebox/create-filebox';
import { findEntry } from '@waybill/filebox/entries/find-entry';
import { countUsage } from '@waybill/filebox/limits/count-usage';
import { startExpiry } from '@waybill/filebox/retention/start-expiry';
import { reportVerifications } from '@waybill/filebox/upkeep/report-verifications';
import { startSweeper } from '@waybill/filebox/upkeep/start-sweeper';
import { createBearerAuthenticator } from '@waybill/http-kit/routing/bearer-authenticator';
import { auditManagement } from '@waybill/http-kit/routing/management-refusal';
import { createHttpServer } from '@waybill/http-kit/server/create-http-server';
import { httpSettingsOf } from '@waybill/http-kit/server/http-settings';
import { reportExpiries } from '@waybill/http-kit/server/report-expiries';
import { reportOldestEvent } from '@waybill/outbox-relay/report-oldest-event';
import { reportStuckEvents } from '@waybill/outbox-relay/report-stuck-events';
import { startRelay } from '@waybill/outbox-relay/start-relay';
import { openRefusalBook } from '@waybill/outbox/refusals/open-refusal-book';
import type { Database } from '@waybill/postgres/database';
import { listen } from '@waybill/postgres/listen';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { announcePresence } from '@waybill/redis/presence/announce-presence';
import { databaseUrlOf } from '@waybill/service-kit/config/database-config';
import { redisUrlOf } from '@waybill/service-kit/config/redis-config';
import { storageOf } from '@waybill/service-kit/config/storage-config';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { createRotationPlan } from '@waybill/signing-keys/rotation-plan';
import { demoPasswordRefusal } from './adapters/access/demo-password-refusal.ts';
import { openAccess } from './adapters/access/open-access.ts';
import { openAdministration } from './adapters/administration/open-administration.ts';
import { createKnexChangeSource } from './adapters/changes/knex-change-source.ts';
import { createConnectionReports } from './adapters/connections/connection-reports.ts';
import { openOutbound } from './adapters/connections/open-outbound.ts';
import { reportKeyExpiries } from './adapters/connections/report-key-expiries.ts';
import { createKnexWebhookDeliveries } from './adapters/deliveries/knex-webhook-deliveries.ts';
import { createKnexExpectations } from './adapters/expectations/knex-expectations.ts';
import { reportExpectations } from './adapters/expectations/report-expectations.ts';
import { createKnexJobRegister } from './adapters/jobs/knex-job-register.ts';
import { reportLeftJobs } from './adapters/jobs/left-jobs.ts';
import { isAnyJobActive, reportJobs } from './adapters/jobs/report-jobs.ts';
import { openPlatformHealth } from './adapters/platform/open-platform-health.ts';
import { endFormerPauses } from './adapters/queues/knex-queue-store.ts';
import { openQueues } from './adapters/queues/open-queues.ts';
import { readQueueSettings } from './adapters/queues/read-queue-settings.ts';
import { countIntervalMs, countRuns } from './adapters/statistics/count-runs.ts';
import { createRunStatisticsStore } from './adapters/statistics/knex-run-statistics.ts';
import { createApprovalList } from './adapters/waits/list-approvals.ts';
import { siteOf, type Config, type JobSite } from './config.ts';
import { createReadVfsUsage } from './domain/administration/vfs-usage.ts';
import { createChangeFeed } from './domain/changes/follow-changes.ts';
import { createListConnectionHealth } from './domain/connections/list-connection-health.ts';
import { createChangeJobs } from './domain/jobs/change-jobs.ts';
import { createJobControl } from './domain/jobs/control-jobs.ts';
import { createChangePreview } from './domain/jobs/preview-change.ts';
import { createSubmitJob } from './domain/jobs/submit-job.ts';
import { createDryRunWorkflow } from './domain/workflows/dry-runs/dry-run-workflow.ts';
import { createFindOutputs } from './domain/workflows/find-outputs.ts';
import { createEvents, type JobManagerEvents } from './events.ts';
import { createConfigurationFollowers } from './http/administration/configuration-followers.ts';
import { createJobFollowers } from './http/changes/job-followers.ts';
import { serveConsole } from './http/serve-console.ts';
import { openDatabase, openRedis } from './open-datastores.ts';
import { removingWebhookBodies } from './retention/remove-webhook-bodies.ts';
import { createRetentionDuty, retentionOf, startRangeDuty } from './retention/retain-jobs.ts';
import { createRoutes } from './routes.ts';
import { taskTable, type TaskTable } from './tasks/task-table.ts';
import { startScheduler } from './triggers/start-scheduler.ts';
import { startDuties, type Duty } from './worker/duties.ts';
import { openDryRunLane } from './worker/lanes/dry-run-lane.ts';
import { openJobMessages, type JobMessages } from './worker/pool/job-messages.ts';
import { startWorker } from './worker/start-worker.ts';

/**
 * Starts the job manager in its role: what it does at times and its workers first, then its HTTP interface, which has
 * health and metrics in every role. `env` is what `config` was read from; `tasks` are those of its workers. Returns the
 * port that it listens on.
 */
export async function startJobManager(
  context: ServiceContext<Config>,
  env: Readonly<Record<string, string | undefined>>,
  tasks: TaskTable = taskTable,
): Promise<{ port: number }> {
  const { config, logger, metrics, health, resources } = context;
  const redisUrl = redisUrlOf(config);
  const does = (role: Config['ROLE']): boolean => config.ROLE === 'all' || config.ROLE === role;
  const site = siteOf(config);
  const events = createEvents(logger, metrics);

  const db = await openDatabase(context);
  const redis = await openRedis(context);
  const directory = openDirectory({ db, demoPasswords: demoPasswordRefusal(config, events) });
  resources.use(startRelay({ redisUrl, logger, metrics }));
  const messages = resources.use(openJobMessages({ redisUrl, logger, metrics }));

  const parts: RoleParts = { ...context, db, redis, directory, site, events, messages, env, tasks };
  const duties: Duty[] = [await startRangeDuty(db)];
  if (does('scheduler')) duties.push(...(await startSchedulerRole(parts)));
  if (does('worker')) duties.push(...(await startWorkerRole(parts)));
  const onFailure = (error: unknown, duty: string): void => events.workerTroubled(error, duty);
  resources.use(startDuties(duties, { metrics, onFailure }));

  const api = does('api') ? await openApi(parts) : undefined;
  const { routes, authenticators } = api ?? { routes: [], authenticators: {} };
  const refusals = resources.use(openRefusalBook({ db, logger, summary: 'requestsRefused' }));
  const refused = auditManagement(refusals, { nodeId: site.nodeName, managerName: site.managerName });
  const telemetry = { health, metrics, logger };
  const interfaces = { routes, authenticators, refused, webApplication: await serveConsole(config) };
  const server = createHttpServer({ ...interfaces, ...telemetry, ...httpSettingsOf(config) });
  resources.use(server);
  const service = 'job-manager';
  const rotations = planRotation(parts, does('api') ? config.ACCESS_SIGNING_KEY_FILE : undefined);
  const presence = {
    service,
    node: site.nodeName,
    role: config.ROLE,
    facts: reportExpiries({ service, server, rotations }),
  };
  resources.use(announcePresence({ ...presence, redis, health }));
  const listening = await server.listen({ host: config.HOST, port: config.PORT });
  // Otherwise open event streams would keep the HTTP interface from stopping.
  if (api) for (const followers of [api.followers, api.configurationFollowers]) resources.use(followers);
  return listening;
}

/** Workers and schedulers have no signing key. */
function planRotation({ config, metrics }: RoleParts, keyFile: string | undefined) {
  const stores = keyFile === undefined ? [] : [tokenKeyStore(keyFile)];
  return createRotationPlan({ stores, days: config.KEY_ROTATION_DAYS, metrics });
}

/** What every role is made of. */
interface RoleParts extends ServiceContext<Config> {
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly directory: Directory;
  readonly site: JobSite;
  readonly events: JobManagerEvents;
  readonly messages: JobMessages;
  readonly tasks: TaskTable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The upkeep of files and of waiting jobs, and the jobs of actions that start at set times. */
async function startSchedulerRole(parts: RoleParts): Promise<Duty[]> {
  const { config, logger, metrics, resources, db, directory, site, events, messages } = parts;
  const storage = { db, ...storageOf(config), storageClasses: directory };
  resources.use(await startSweeper({ ...storage, logger, metrics }));
  reportVerifications({ db, metrics });
  const retention = { retention: directory, intervalMs: config.RETENTION_INTERVAL_SECONDS * 1_000 };
  resources.use(startExpiry({ db, site, ...retention, logger, metrics }));
  reportOldestEvent({ db, metrics });
  reportStuckEvents({ db, metrics });
  reportJobs({ db, metrics });
  reportLeftJobs({ db, metrics });
  reportKeyExpiries({ directory, metrics });
  reportExpectations({ db, metrics });
  const register = createKnexJobRegister(db, { site, onReady: messages.announce });
  const followQueues = async (): Promise<void> => {
    await db.transaction((trx) => endFormerPauses(trx, site));
    if (!(await isAnyJobActive(db))) return;
    const suspended = await register.followQueues(await readQueueSettings(directory));
    if (suspended > 0) events.jobsSuspended(suspended);
  };
  resources.use(startScheduler({ db, register: { site, onReady: messages.announce }, logger, metrics, events }));
  return [
    { name: 'follow queues', intervalMs: config.JOB_POLL_SECONDS * 1_000, work: followQueues },
    { name: 'count ended jobs', intervalMs: countIntervalMs, work: () => countRuns(db) },
    removingWebhookBodies({ ...parts, keptDays: config.WEBHOOK_BODY_DAYS, intervalMs: retention.intervalMs }),
    createRetentionDuty({ ...parts, retention: retentionOf(config), intervalMs: retention.intervalMs }),
  ];
}

async function startWorkerRole(parts: RoleParts): Promise<readonly Duty[]> {
  const { config, logger, metrics, resources, db, directory, site } = parts;
  const storage = { db, ...storageOf(config), storageClasses: directory };
  const filebox = resources.use(await createFilebox({ ...storage, managerName: site.managerName, logger, metrics }));
  const pace = {
    concurrency: config.JOB_CONCURRENCY,
    leaseMs: config.JOB_LEASE_SECONDS * 1_000,
    pollMs: config.JOB_POLL_SECONDS * 1_000,
    graceMs: config.JOB_GRACE_SECONDS * 1_000,
    patienceMs: config.JOB_PATIENCE_SECONDS * 1_000,
  };
  const connections = resources.use(openOutbound({ ...parts, commands: config, managerName: site.managerName }));
  const addresses = { databaseUrl: databaseUrlOf(config), redisUrl: redisUrlOf(config) };
  const worker = resources.use(await startWorker({ ...parts, ...addresses, connections, filebox, pace }));
  return worker.duties;
}

/** How long one request that changes many jobs may take: less than clients and proxies usually wait. */
const bulkChangeBudgetMs = 20_000;

/** How long the entries of a VFS without limits are counted for a request. */
const countUsageMsAtMost = 2_000;

/** How often changes of jobs are read while there are followers, and how long they wait for one that is missing. */
const changeFeedPace = { pollMs: 300, patienceMs: 2_000 } as const;

/** The HTTP interface. */
async function openApi(parts: RoleParts) {
  const { config, db, redis, directory, site, events, messages, metrics, resources } = parts;
  await directory.reportDemoPasswords('manager');
  const { ACCESS_SIGNING_KEY_FILE: keyFile } = config;
  if (keyFile === undefined) throw new Error('ACCESS_SIGNING_KEY_FILE is not set');
  const { authority, ...access } = await openAccess({ ...parts, keyFile });
  const register = createKnexJobRegister(db, { site, onReady: messages.announce });
  const control = createJobControl({ register, directory, onAborted: (job) => events.jobAborted(job) });
  const { queues, findWait } = openQueues({ db, directory, site, announce: messages.announce });
  const changes = { register, control, preview: createChangePreview({ register, directory }) };
  const source = createKnexChangeSource(db);
  const onTrouble = (error: unknown): void => events.workerTroubled(error, 'follow jobs');
  const feed = resources.use(createChangeFeed({ source, ...changeFeedPace, onTrouble }));
  const followers = createJobFollowers({ feed, source, metrics });
  const configurationFollowers = createConfigurationFollowers({ metrics });
  const channel = { url: databaseUrlOf(config), channel: 'waybill_configuration', logger: parts.logger };
  resources.use(await listen({ ...channel, onNotify: () => configurationFollowers.report() }));
  const dryRuns = resources.use(openDryRunLane());
  const listConnectionHealth = createListConnectionHealth(directory, createConnectionReports(redis));
  const platform = await openPlatformHealth({ ...parts, authority, listConnectionHealth });
  return {
    routes: createRoutes({
      submitJob: createSubmitJob({ directory, register }),
      register,
      directory,
      control,
      changeJobs: createChangeJobs({ ...changes, budgetMs: bulkChangeBudgetMs }),
      followers,
      configurationFollowers,
      queues,
      findWait,
      findOutputs: createFindOutputs({ register, directory }),
      dryRunWorkflow: createDryRunWorkflow({ directory, findFile: (...of) => findEntry(db, ...of), ...dryRuns }),
      readVfsUsage: createReadVfsUsage({ directory, count: (vfsId) => countUsage(db, vfsId, countUsageMsAtMost) }),
      statistics: createRunStatisticsStore(db),
      expectations: createKnexExpectations(db, site),
      deliveries: createKnexWebhookDeliveries(db, site),
      listApprovals: createApprovalList(db),
      listConnectionHealth,
      ...platform,
      ...access,
      events,
      basePath: config.JOB_MANAGER_BASE_PATH,
      administration: openAdministration({ ...parts, apiKeys: access.apiKeys }),
    }),
    authenticators: { bearer: createBearerAuthenticator(authority) },
    followers,
    configurationFollowers,
  };
}
