import { countApiKeys } from '@waybill/access/api-key';
import { countTokenKeys } from '@waybill/access/count-token-keys';
import { createRemoteKeySource } from '@waybill/access/remote-key-source';
import { createTokenVerifier } from '@waybill/access/token-verifier';
import { namesOfActors, ownersOfNames } from '@waybill/directory/rights/names-of-actors';
import { openAuthority } from '@waybill/directory/rights/open-authority';
import { createBearerAuthenticator } from '@waybill/http-kit/routing/bearer-authenticator';
import { auditManagement } from '@waybill/http-kit/routing/management-refusal';
import type { NoteRefusal } from '@waybill/http-kit/routing/refused-request';
import type { Route } from '@waybill/http-kit/routing/route';
import { createHttpServer, type HttpServer } from '@waybill/http-kit/server/create-http-server';
import { httpSettingsOf } from '@waybill/http-kit/server/http-settings';
import { createDestinationGuard } from '@waybill/outbound/address/destination-guard';
import { reportStuckEvents } from '@waybill/outbox-relay/report-stuck-events';
import { openRefusalBook } from '@waybill/outbox/refusals/open-refusal-book';
import type { Database } from '@waybill/postgres/database';
import { databaseUrlOf } from '@waybill/service-kit/config/database-config';
import { redisUrlOf } from '@waybill/service-kit/config/redis-config';
import { s3CredentialsOf } from '@waybill/service-kit/config/s3-config';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { openAnchors } from './adapters/anchors/open-anchors.ts';
import { createCheckpointFile, type CheckpointFile } from './adapters/checkpoint-file.ts';
import { createKnexAnchoredLog } from './adapters/knex-anchored-log.ts';
import { createKnexRecordLog } from './adapters/knex-record-log.ts';
import { replaceSettings } from './adapters/knex-settings.ts';
import { createKnexStoredLog } from './adapters/knex-stored-log.ts';
import { createKnexRecordList } from './adapters/listing/knex-record-list.ts';
import { checkInThreads } from './adapters/verification/check-in-threads.ts';
import { createKnexLogSource } from './adapters/verification/knex-log-source.ts';
import { createAnchorEvents } from './anchor-events.ts';
import { announceState, type ReportedState } from './announce-state.ts';
import { checkpointFileOf, type Config } from './config.ts';
import { startAuditEventConsumer } from './consumer/start-audit-event-consumer.ts';
import type { KeptAnchors } from './domain/anchors/keep-anchors.ts';
import type { LogKeys } from './domain/log/choose-key.ts';
import type { WriterIdentity } from './domain/log/log-events.ts';
import { createLogWriter, type LogWriter } from './domain/log/log-writer.ts';
import { settingsEvents } from './domain/log/settings-change.ts';
import { createLogReader } from './domain/reading/log-reader.ts';
import { createVerifier } from './domain/verification/verifier.ts';
import { createEvents, type AuditServiceEvents } from './events.ts';
import { followLogKeys } from './follow-log-keys.ts';
import { createAuditFollowers } from './http/audit-followers.ts';
import { type RecordReads, recordReads } from './http/read-records.ts';
import { createReadTurns } from './http/read-turns.ts';
import { manageRecords } from './manage-records.ts';
import { openDatabase } from './open-database.ts';
import { createRoutes } from './routes.ts';
import { serviceAccount, settingsOf } from './settings-of.ts';
import { createAnchors } from './worker/create-anchors.ts';
import { startCheckpointLog } from './worker/start-checkpoint-log.ts';
import { startForwarding } from './worker/start-forwarding.ts';

/** Starts the audit service and returns its port. Its resources are released in reverse order. */
export async function startService(context: ServiceContext<Config>): Promise<{ port: number }> {
  const { config, logger, metrics, resources } = context;
  const events = createEvents(logger, metrics);
  const db = await openDatabase(context);
  reportStuckEvents({ db, metrics });
  const keys = await followLogKeys(context, { db, events });
  const memory = resources.use(createCheckpointFile(checkpointFileOf(config), events.checkpointNotRemembered));
  const log = createKnexStoredLog(db);
  const forwarding = resources.use(startForwarding({ ...context, db, log, ...forwardingOf(config) }));
  const onAppended = (): void => forwarding.wake();
  const { writer, anchors, state } = await openLog(context, { db, keys, memory, events, onAppended });
  const thread = { url: databaseUrlOf(config), applicationName: 'waybill audit verification' };
  const source = createKnexLogSource(db, checkInThreads(db, thread));
  const verifier = resources.use(createVerifier({ source, keys, memory, anchors, onOutcome: events.recordVerified }));
  const refusals = resources.use(openRefusalBook({ db, logger, summary: 'requestsRefused' }));
  const refused = auditManagement(refusals, { nodeId: config.NODE_NAME, managerName: config.MANAGER_NAME });
  const followers = createAuditFollowers({ log, metrics });
  const reader = createLogReader(log, keys);
  const managed = manageRecords(context, { db, writer, reader, events });
  const reads = openReads(context, db);
  const turns = createReadTurns({ inAll: Math.max(1, config.DATABASE_POOL_SIZE - 4), ofUser: 3, waiting: 100 });
  const parts = {
    records: createKnexRecordList(db),
    namesOfActors: (actors: readonly string[]) => namesOfActors(db, actors),
    ownersOfNames: (names: Parameters<typeof ownersOfNames>[1]) => ownersOfNames(db, names),
    turns,
    verifier,
    reader,
    followers,
    recordReads: reads,
    ...managed,
  };
  const server = resources.use(createServer(context, { db, routes: createRoutes(parts), refused }));
  state.serves(server);
  // Before the server, which waits for open responses.
  resources.use(followers);
  return server.listen({ host: config.HOST, port: config.PORT });
}

function forwardingOf(config: Config) {
  return {
    destinations: config.AUDIT_FORWARDING,
    intervalMs: config.AUDIT_FORWARD_SECONDS * 1_000,
    retryMs: config.AUDIT_FORWARD_RETRY_SECONDS * 1_000,
    alertMs: config.AUDIT_FORWARD_ALERT_SECONDS * 1_000,
    identity: { managerName: config.MANAGER_NAME, nodeId: config.NODE_NAME },
    guard: createDestinationGuard({
      allowedHosts: config.OUTBOUND_ALLOWED_HOSTS,
      allowedNetworks: config.OUTBOUND_ALLOWED_NETWORKS,
    }),
  };
}

/** Records who reads the audit log: no faster than refusals are. */
function openReads({ config, logger, resources }: ServiceContext<Config>, db: Database): RecordReads {
  const book = resources.use(openRefusalBook({ db, logger, summary: 'auditReadsCounted' }));
  return recordReads(book, { managerName: config.MANAGER_NAME, nodeId: config.NODE_NAME });
}

/** Begins to write. A log that cannot be continued is reported now instead of at the first event. */
async function openLog(
  context: ServiceContext<Config>,
  parts: { db: Database; keys: LogKeys; memory: CheckpointFile; events: AuditServiceEvents; onAppended(): void },
): Promise<{ writer: LogWriter; anchors: KeptAnchors; state: ReportedState }> {
  const { config, resources } = context;
  const { db, keys, memory, events } = parts;
  const identity = { managerName: config.MANAGER_NAME, nodeId: config.NODE_NAME };
  const { anchors, anchorEvents, useWriter } = await createServiceAnchors(context, { db, keys, identity });
  const writer = createLogWriter({ ...parts, anchored: anchors, identity });
  useWriter(writer);
  await anchors.look();
  const by = { ...identity, user: serviceAccount() };
  const settings = settingsOf(config);
  const opened = await db.transaction(async (trx) => {
    const events = settingsEvents(await replaceSettings(trx, settings), settings, by);
    return writer.append(createKnexRecordLog(trx), events);
  });
  opened.remember();
  await memory.flush();
  events.logOpened(opened);
  anchorEvents.signed(opened.size);
  const state = announceState(context, () => anchorEvents.states());
  state.signed(opened.size, opened.appended > 0);
  resources.use(anchors).start();
  startWriting(context, {
    db,
    writer,
    events: {
      ...events,
      eventsRecorded: (outcome, oldestEventAt) => {
        events.eventsRecorded(outcome, oldestEventAt);
        anchorEvents.signed(outcome.size);
        state.signed(outcome.size, outcome.appended > 0);
        anchors.wake();
        parts.onAppended();
      },
    },
  });
  return { writer, anchors, state };
}

/** The anchors of the configuration. They record through the writer, which asks them before it continues a log. */
async function createServiceAnchors(
  { config, logger, metrics, resources }: ServiceContext<Config>,
  { db, keys, identity }: { db: Database; keys: LogKeys; identity: WriterIdentity },
) {
  const anchorEvents = createAnchorEvents(logger, metrics, config.AUDIT_ANCHORS);
  let writer: LogWriter | undefined;
  const anchors = createAnchors({
    anchors: await openAnchors(config.AUDIT_ANCHORS, { credentials: s3CredentialsOf(config), resources }),
    log: createKnexAnchoredLog(db, keys),
    identity,
    events: anchorEvents,
    checkpointFile: checkpointFileOf(config),
    intervalMs: config.AUDIT_ANCHOR_SECONDS * 1_000,
    alertMs: config.AUDIT_ANCHOR_ALERT_SECONDS * 1_000,
    areRequired: config.AUDIT_ANCHORS_UNREACHABLE === 'refuse',
    record: async (event) => {
      const outcome = await db.transaction((trx) => writer?.append(createKnexRecordLog(trx), [event]));
      if (!outcome) return;
      outcome.remember();
      anchorEvents.signed(outcome.size);
      anchors.wake();
    },
  });
  return {
    anchors,
    anchorEvents,
    useWriter: (used: LogWriter): void => {
      writer = used;
    },
  };
}

function startWriting(
  { config, logger, resources }: ServiceContext<Config>,
  { db, writer, events }: { db: Database; writer: LogWriter; events: AuditServiceEvents },
): void {
  const checkpoints = resources.use(
    startCheckpointLog(config.AUDIT_CHECKPOINT_LOG_SECONDS * 1_000, events.checkpointSigned),
  );
  const consumer = startAuditEventConsumer({
    db,
    redisUrl: redisUrlOf(config),
    logger,
    writer,
    onRecorded: (outcome, oldestEventAt) => {
      events.eventsRecorded(outcome, oldestEventAt);
      checkpoints.note(outcome.checkpoint);
    },
  });
  resources.use(consumer);
}

function createServer(
  { config, ...context }: ServiceContext<Config>,
  { db, routes, refused }: { db: Database; routes: readonly Route[]; refused: NoteRefusal },
): HttpServer {
  const keys = createRemoteKeySource({ urls: config.ACCESS_JWKS_URLS, logger: context.logger });
  const token = { issuer: config.ACCESS_ISSUER, audience: config.ACCESS_AUDIENCE };
  const tokens = createTokenVerifier({ keys, ...token, verified: countTokenKeys(context.metrics) });
  const bearer = createBearerAuthenticator(openAuthority({ db, tokens, onApiKey: countApiKeys(context.metrics) }));
  return createHttpServer({
    ...context,
    routes,
    authenticators: { bearer },
    refused,
    ...httpSettingsOf(config),
  });
}
