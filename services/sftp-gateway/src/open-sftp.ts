import { availableParallelism } from 'node:os';
import { openAccessKeyRing } from '@waybill/access/second-factors/access-key-ring';
import { createSecondFactors } from '@waybill/access/second-factors/second-factors';
import { createPartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import { createPartnerSecondFactors } from '@waybill/directory/accounts/partner-second-factors';
import { watchUsers } from '@waybill/directory/standing/watch-users';
import { createRedisDownloadCoverage } from '@waybill/download-coverage/create-redis-download-coverage';
import { createFilebox } from '@waybill/filebox/create-filebox';
import { createBufferReclaimer } from '@waybill/service-kit/buffer-reclaimer';
import { databaseUrlOf } from '@waybill/service-kit/config/database-config';
import { storageOf } from '@waybill/service-kit/config/storage-config';
import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import { createNetworkList } from '@waybill/service-kit/network/network-list';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { useStarted } from '@waybill/service-kit/use-started';
import { createKeyEvents } from '@waybill/signing-keys/key-events';
import { followHostKeys } from './adapters/follow-host-keys.ts';
import { forgetfulDownloadCoverage } from './adapters/forgetful-download-coverage.ts';
import { createRedisSessionTerminator } from './adapters/redis-session-terminator.ts';
import type { Config } from './config.ts';
import { createFileSession } from './domain/files/session/create-file-session.ts';
import type { SessionTerminator } from './domain/sessions/session-terminator.ts';
import type { Gateway } from './open-gateway.ts';
import { openSessions } from './open-sessions.ts';
import { reportActivities } from './report-activities.ts';
import { limitsOfConfig } from './sftp/limits-of-config.ts';
import { createSftpServer } from './sftp/server/create-sftp-server.ts';
import { requireHybridKeyExchange, requireNativeCiphers } from './sftp/ssh2/ssh2-internals.ts';
import { createReadAhead } from './sftp/transfers/read-ahead.ts';
import { createTransferBuffers } from './sftp/transfers/transfer-buffers.ts';

/** What serves partners, before it listens: this process, or several that it supervises. */
export interface OpenedSftp {
  /** Ends sessions of any peer. */
  readonly terminator: SessionTerminator;
  /** The metrics of all processes; default: those of this process. */
  readonly metrics?: Metrics;
  /** Listens, and returns the port. The stop lets transfers end. */
  listen(): Promise<number>;
}

/** Opens what serves partners: files, sessions, and SSH. */
export async function openSftp(context: ServiceContext<Config>, gateway: Gateway): Promise<OpenedSftp> {
  const { config, logger, metrics, resources } = context;
  requireNativeCiphers();
  requireHybridKeyExchange();
  const { db, redis, subscriber, directory, server, managerName, audit, guard, events } = gateway;
  const place = { cluster: server.clusterName, server: server.serverName };
  const databaseUrl = databaseUrlOf(config);
  const watch = await useStarted(resources, watchUsers({ db, databaseUrl, place, logger }));
  const storage = { db, ...storageOf(config), storageClasses: directory };
  const hashesAside = hasCoresToSpare(config.SFTP_PROCESSES);
  const store = resources.use(await createFilebox({ ...storage, hashesAside, managerName, logger, metrics }));
  const coverage = forgetfulDownloadCoverage(createRedisDownloadCoverage(redis), (error) =>
    events.operationFailed('remember-part', error),
  );
  const { lifecycle, own } = await openSessions({ ...gateway, resources });
  const transferBuffers = createTransferBuffers();

  const sftp = createSftpServer({
    hostKeys: await openHostKeys(context),
    limits: limitsOfConfig(config),
    isProxy: createNetworkList(config.SFTP_PROXY_PROTOCOL_FROM),
    countNetwork: createNetworkCounter(config.CLIENT_IPV6_PREFIX_BITS),
    throttle: guard.throttle,
    bans: guard.admission,
    isExempt: guard.admission.isExempt,
    directory,
    passwords: createPartnerPasswords(db, { ...server, managerName }),
    secondFactors: openSecondFactors(context, gateway),
    watch,
    sessions: lifecycle,
    audit,
    events,
    reclaimer: createBufferReclaimer(),
    transferBuffers,
    openReadAhead: createReadAhead(transferBuffers),
    filesOf: (login) => createFileSession({ directory, store, coverage, audit, server }, login),
  });
  const failed = events.registryBroke;
  const terminateOwn = sftp.terminate;
  const terminator = await createRedisSessionTerminator({ redis, subscriber, server, terminateOwn, failed });
  resources.use(reportActivities({ sftp, own, failed }));
  return {
    terminator,
    listen: async () => {
      resources.defer(() => sftp.stop(drainTimeoutOf(config.SHUTDOWN_TIMEOUT_SECONDS)));
      const { port } = await sftp.listen({ host: config.SFTP_HOST, port: config.SFTP_PORT });
      return port;
    },
  };
}

/** The second factors of partners. */
function openSecondFactors({ config, env = {} }: ServiceContext<Config>, { db, server, managerName }: Gateway) {
  const ring = openAccessKeyRing(env, { maxAgeMs: config.KEY_RELOAD_SECONDS * 1_000 });
  const blockSeconds = config.SFTP_LOGIN_FAILURE_WINDOW_SECONDS;
  const factors = createSecondFactors({ db, ring, blockSeconds, of: 'partners' });
  return createPartnerSecondFactors(db, factors, { ...server, managerName });
}

/** The keys of the server, whose files are watched until the stop. */
async function openHostKeys({ config, logger, metrics, resources }: ServiceContext<Config>) {
  const following = { intervalMs: config.KEY_RELOAD_SECONDS * 1_000, events: createKeyEvents(logger, metrics) };
  const keys = await followHostKeys(config.SFTP_HOST_KEY_DIR, config.SFTP_HOST_KEY_TYPES, following);
  return resources.use(keys).current;
}

/**
 * Whether a hashing thread has a core to itself: if each process and its helper threads keep all cores busy, it costs
 * transfers more than it gains.
 */
function hasCoresToSpare(processes: number): boolean {
  return availableParallelism() >= 2 * processes + 2;
}

/** Leaves a quarter of the time for everything that stops after the transfers. */
function drainTimeoutOf(shutdownSeconds: number): number {
  return shutdownSeconds * 750;
}
