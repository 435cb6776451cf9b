import type { ReportedAnchor, ReportedAudit } from '@waybill/contracts/messages/service-presence';
import type { HttpServer } from '@waybill/http-kit/server/create-http-server';
import { reportExpiries } from '@waybill/http-kit/server/report-expiries';
import { connectRedis } from '@waybill/redis/connect-redis';
import { announcePresence } from '@waybill/redis/presence/announce-presence';
import { redisUrlOf } from '@waybill/service-kit/config/redis-config';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { createRotationPlan } from '@waybill/signing-keys/rotation-plan';
import { auditKeyStore } from './audit-key-store.ts';
import type { Config } from './config.ts';

/** What this process reports of the log. */
export interface ReportedState {
  /** A checkpoint of this many records is the last one; `isNew`: it was signed now. */
  signed(records: number, isNew: boolean): void;
  /** This server serves the log: the expiry of its certificate is reported. */
  serves(server: CertificateHolder): void;
}

type CertificateHolder = Pick<HttpServer, 'certificate'>;

/** Tells the other services that this one runs, and how the log does. */
export function announceState(
  { config, logger, metrics, health, resources }: ServiceContext<Config>,
  anchors: () => ReportedAnchor[],
): ReportedState {
  const state = keepState(anchors);
  const redis = connectRedis({ url: redisUrlOf(config), name: 'waybill audit', logger });
  resources.defer(() => redis.disconnect());
  const service = 'audit';
  let server: CertificateHolder | undefined;
  const stores = [auditKeyStore(config.AUDIT_SIGNING_KEY_FILE)];
  const rotations = createRotationPlan({ stores, days: config.KEY_ROTATION_DAYS, metrics });
  const readExpiries = reportExpiries({ service, server: { certificate: () => server?.certificate() }, rotations });
  const facts = async () => ({ audit: state.read(), ...(await readExpiries()) });
  resources.use(announcePresence({ service, node: config.NODE_NAME, redis, health, facts }));
  return {
    signed: state.signed,
    serves: (started) => {
      server = started;
    },
  };
}

function keepState(anchors: () => ReportedAnchor[]): Pick<ReportedState, 'signed'> & { read(): ReportedAudit } {
  let checkpoint: ReportedAudit['checkpoint'] = { records: 0 };
  return {
    signed: (records, isNew) => {
      if (records < checkpoint.records) return;
      checkpoint = isNew ? { records, signedAt: new Date().toISOString() } : { ...checkpoint, records };
    },
    read: () => ({ checkpoint, anchors: anchors() }),
  };
}
