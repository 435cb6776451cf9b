import { countApiKeys } from '@waybill/access/api-key';
import { countTokenKeys } from '@waybill/access/count-token-keys';
import { createRemoteKeySource } from '@waybill/access/remote-key-source';
import { createTokenVerifier } from '@waybill/access/token-verifier';
import { reachedUsers } from '@waybill/directory/rights/names-of-actors';
import { openAuthority } from '@waybill/directory/rights/open-authority';
import { openUnfinishedUploads } from '@waybill/filebox/unfinished/open-unfinished-uploads';
import { createBearerAuthenticator } from '@waybill/http-kit/routing/bearer-authenticator';
import { auditManagement } from '@waybill/http-kit/routing/management-refusal';
import { createHttpServer } from '@waybill/http-kit/server/create-http-server';
import { httpSettingsOf } from '@waybill/http-kit/server/http-settings';
import { reportExpiries } from '@waybill/http-kit/server/report-expiries';
import { openRefusalBook } from '@waybill/outbox/refusals/open-refusal-book';
import { announcePresence } from '@waybill/redis/presence/announce-presence';
import { storageOf } from '@waybill/service-kit/config/storage-config';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { createRotationPlan } from '@waybill/signing-keys/rotation-plan';
import { hostKeyStore } from './adapters/host-key-store.ts';
import { createKnexHttpSessions } from './adapters/knex-http-sessions.ts';
import { createKnexOwnedUploads } from './adapters/knex-owned-uploads.ts';
import { createKnexUserFreezes } from './adapters/knex-user-freezes.ts';
import { createRedisHttpTransfers } from './adapters/redis-http-transfers.ts';
import { createRedisSessionFeed } from './adapters/redis-session-feed.ts';
import { createRedisSessionRegistry } from './adapters/redis-session-registry.ts';
import type { Config } from './config.ts';
import type { SessionTerminator } from './domain/sessions/session-terminator.ts';
import { createSessionFollowers } from './http/session-followers.ts';
import type { Gateway } from './open-gateway.ts';
import { createRoutes } from './routes.ts';

/** Starts the HTTP interface for the sessions of all processes of all gateways, and returns its port. */
export async function startOperations(
  context: ServiceContext<Config>,
  gateway: Gateway,
  terminator: SessionTerminator,
): Promise<number> {
  const { config, logger, metrics, health, resources } = context;
  const { db, redis, subscriber, directory, server, managerName, audit, guard, events } = gateway;
  const registry = createRedisSessionRegistry(redis);
  const feed = await createRedisSessionFeed({ subscriber, failed: events.registryBroke });
  const followers = createSessionFollowers({ feed, registry });
  const freezes = createKnexUserFreezes({ db, server, managerName });
  const keys = createRemoteKeySource({ urls: config.ACCESS_JWKS_URLS, logger });
  const token = { issuer: config.ACCESS_ISSUER, audience: config.ACCESS_AUDIENCE };
  const tokens = createTokenVerifier({ keys, ...token, verified: countTokenKeys(metrics) });
  const refusals = resources.use(openRefusalBook({ db, logger, summary: 'requestsRefused' }));
  const http = resources.use(
    createHttpServer({
      routes: createRoutes({
        directory,
        registry,
        terminator,
        followers,
        httpTransfers: createRedisHttpTransfers(redis),
        httpSessions: createKnexHttpSessions({ db, redis, server, managerName }),
        uploads: await openUploads(context, gateway),
        events,
        freezes,
        reachedUsers: (actors) => reachedUsers(db, actors),
        bans: guard.bans,
        audit,
      }),
      authenticators: {
        bearer: createBearerAuthenticator(openAuthority({ db, tokens, onApiKey: countApiKeys(metrics) })),
      },
      refused: auditManagement(refusals, { nodeId: server.peerName, managerName }),
      health,
      metrics,
      logger,
      ...httpSettingsOf(config),
    }),
  );
  const { SFTP_HOST_KEY_TYPES: kinds, SFTP_HOST_KEY_ROTATION_DAYS: days } = config;
  const stores = kinds.map((kind) => hostKeyStore(config.SFTP_HOST_KEY_DIR, kind));
  const service = 'sftp-gateway';
  const facts = reportExpiries({ service, server: http, rotations: createRotationPlan({ stores, days, metrics }) });
  resources.use(announcePresence({ service, node: server.peerName, redis, health, facts }));
  const { port } = await http.listen({ host: config.HOST, port: config.PORT });
  // Otherwise open event streams would keep the HTTP interface from stopping.
  resources.use(followers);
  return port;
}

/** The unfinished uploads of all users, with the stores of their bytes. */
async function openUploads({ config, resources }: ServiceContext<Config>, gateway: Gateway) {
  const { db, directory, server, managerName } = gateway;
  const storage = { ...storageOf(config), storageClasses: directory };
  const unfinished = resources.use(await openUnfinishedUploads({ db, ...storage }));
  return createKnexOwnedUploads({ db, unfinished, server, managerName });
}
