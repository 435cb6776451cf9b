import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tokenKeyStore } from '@waybill/access/signing-key';
import { createTokenIssuer } from '@waybill/access/token-issuer';
import type { BuiltInRole } from '@waybill/contracts/roles/built-in-roles';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { startRelay } from '@waybill/outbox-relay/start-relay';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { createHealth } from '@waybill/service-kit/telemetry/health';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { onlyKey } from '@waybill/signing-keys/key-set';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { createHttpClient, type HttpClient } from '@waybill/test-kit/create-http-client';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { createTestRedis } from '@waybill/test-kit/create-test-redis';
import type { DurablePostgres } from '@waybill/test-kit/start-durable-postgres';
import { managerNames } from '@waybill/test-kit/values/test-managers';
import { waitFor } from '@waybill/test-kit/wait-for';
import { auditKeyStore } from '../src/audit-key-store.ts';
import { type Config, configSchema } from '../src/config.ts';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { startService } from '../src/service.ts';
import { settingsOf } from '../src/settings-of.ts';
import { createRecordRig } from './record-rig.ts';

/** A running audit service. */
export interface RunningAudit extends AsyncDisposable {
  readonly port: number;
  readonly client: HttpClient;
}

/**
 * Everything around the audit service, and the service itself as often as wanted. Readings of the log and changes of its
 * settings are recorded if the test is about them: other tests compare the whole log with what they have appended.
 */
export async function createAuditRig({
  recordsReadings = false,
  recordsSettings = false,
  postgres,
}: { recordsReadings?: boolean; recordsSettings?: boolean; postgres?: DurablePostgres } = {}) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTestFolder());
  const redis = stack.use(await createTestRedis());
  const signingKeyFile = join(folder.path, 'audit', 'key.pem');
  const record = stack.use(await createRecordRig((await loadKeySet(auditKeyStore(signingKeyFile))).active, postgres));
  if (!recordsReadings) await record.db.raw(dropReadings);
  const tokens = stack.use(await startTokenIssuer(join(folder.path, 'tokens.pem')));
  const env = {
    DATABASE_URL: record.serviceUrl,
    REDIS_URL: redis.url,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    ACCESS_JWKS_URLS: tokens.jwksUrl,
    AUDIT_SIGNING_KEY_FILE: signingKeyFile,
  };
  const owned = stack.move();
  return {
    record,
    redis,
    env,
    signingKeyFile,
    token: tokens.token,
    start: async (overrides: Readonly<Record<string, string>> = {}) => {
      const config = loadConfig(configSchema, { ...env, ...overrides });
      // As if the last start had these settings.
      if (!recordsSettings) await record.db('audit.settings').update({ settings: JSON.stringify(settingsOf(config)) });
      return startAudit(config);
    },
    startRelay: () =>
      startRelay({
        redisUrl: redis.url,
        logger: createLogger({ service: 'test', level: 'fatal' }),
        metrics: createMetrics('test'),
      }),
    send: (events: readonly IdentifiedEvent[]) =>
      record.db.transaction((trx) =>
        appendToOutbox(
          trx,
          events.map(({ payload }) => ({ topic: 'audit-event', payload })),
        ),
      ),
    recorded: (timeoutMs = 20_000) =>
      waitFor(async () => (await record.db('outbox.events').first()) === undefined, {
        what: 'an empty outbox',
        timeoutMs,
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const dropReadings = `
  CREATE FUNCTION outbox.drop_event() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
  CREATE TRIGGER drop_readings BEFORE INSERT ON outbox.events FOR EACH ROW
    WHEN (NEW.payload ->> 'auditCode' BETWEEN 'AUD0117A' AND 'AUD0120A') EXECUTE FUNCTION outbox.drop_event();
`;

async function startAudit(config: Config): Promise<RunningAudit> {
  const resources = new AsyncDisposableStack();
  try {
    const { port } = await startService({
      config,
      logger: createLogger({ service: 'audit', level: config.LOG_LEVEL }),
      metrics: createMetrics('audit'),
      health: createHealth(),
      resources,
    });
    const client = createHttpClient(`http://127.0.0.1:${port}`);
    return { port, client, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/** An issuer of tokens that publishes its keys. */
async function startTokenIssuer(keyFile: string) {
  const keys = onlyKey((await loadKeySet(tokenKeyStore(keyFile))).active);
  const issuers = { waybill: issuerNamed('waybill'), stranger: issuerNamed('stranger') };
  const server = createServer((_request, response) => response.end(JSON.stringify(issuers.waybill.jwks())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  function issuerNamed(issuer: string) {
    return createTokenIssuer({ keys, issuer, audience: 'waybill' });
  }
  return {
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    token: (role: BuiltInRole, issuer: keyof typeof issuers = 'waybill') =>
      issuers[issuer].issue({ userName: userNameSchema.parse(managerNames[role]), roles: [role] }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
