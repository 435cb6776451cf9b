import type { Database } from '@waybill/postgres/database';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { createKnexArchives } from './adapters/knex-archives.ts';
import { createKnexHolds } from './adapters/knex-holds.ts';
import { createKnexRedactions } from './adapters/knex-redactions.ts';
import { type Config, retentionOf } from './config.ts';
import type { LogWriter } from './domain/log/log-writer.ts';
import type { LogReader } from './domain/reading/log-reader.ts';
import { createRedactor, type Redactor } from './domain/redaction/redact-records.ts';
import { archiveRecords } from './domain/retention/archive-records.ts';
import { createHolds, type Holds } from './domain/retention/holds.ts';
import type { AuditServiceEvents } from './events.ts';
import { startRetention } from './worker/start-retention.ts';

/** Opens what changes stored records: redactions and holds by request, and retention if it is configured. */
export function manageRecords(
  { config, resources }: ServiceContext<Config>,
  parts: { db: Database; writer: LogWriter; reader: LogReader; events: AuditServiceEvents },
): { redactor: Redactor; holds: Holds } {
  const { db, writer, reader, events } = parts;
  const recording = { writer, identity: { managerName: config.MANAGER_NAME, nodeId: config.NODE_NAME } };
  const retention = retentionOf(config);
  if (retention) {
    const store = createKnexArchives({ db, reader, folder: retention.folder });
    const worker = startRetention({
      days: retention.days,
      archive: (due) => archiveRecords({ store, ...recording }, due),
      onArchived: events.recordsArchived,
      onFailure: events.archiveFailed,
    });
    resources.use(worker);
  }
  return {
    redactor: createRedactor({ store: createKnexRedactions(db), ...recording, onErased: events.valuesErased }),
    holds: createHolds({ store: createKnexHolds(db), ...recording }),
  };
}
