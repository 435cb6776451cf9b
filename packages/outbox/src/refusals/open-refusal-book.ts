import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { appendToOutbox } from '../append-to-outbox.ts';
import { RefusalBook, type RefusalBookOptions } from './refusal-book.ts';

/** A refusal book whose records are events of this database. */
export function openRefusalBook({
  db,
  logger,
  summary,
}: { readonly db: Database; readonly logger: Logger } & Pick<RefusalBookOptions, 'summary'>): RefusalBook {
  return new RefusalBook({
    summary,
    append: (payload) => appendToOutbox(db, [{ topic: 'audit-event', payload }]),
    failed: (error) => logger.error({ err: error }, 'a refused operation could not be audited'),
  });
}
