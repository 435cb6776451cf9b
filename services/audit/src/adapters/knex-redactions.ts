import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { RedactableRecords, RedactionStore } from '../domain/redaction/redact-records.ts';
import { createKnexRecordLog } from './knex-record-log.ts';
import type { Sql } from './listing/filter-sql.ts';
import { findConditions, noFilter, select, whereSql } from './listing/found-conditions.ts';

/** Thrown to roll back. */
class NothingToKeep extends Error {}

/** Redactions in PostgreSQL. The function `audit.redact` can erase values, and change nothing else. */
export function createKnexRedactions(db: Database): RedactionStore {
  return {
    transact: async (use) => {
      try {
        return await db.transaction(async (trx) => {
          const result = await use(redactableRecords(trx));
          if (result === undefined) throw new NothingToKeep();
          return result;
        });
      } catch (error) {
        if (error instanceof NothingToKeep) return undefined;
        throw error;
      }
    },
  };
}

function redactableRecords(trx: Transaction): RedactableRecords {
  return {
    find: async ({ q, ids }, limit) => {
      const condition = ids ? { text: 'id = ANY (CAST(? AS uuid[]))', bindings: [ids] } : await conditionOf(trx, q);
      if (!condition) return [];
      const { text, bindings } = condition;
      const rows = await select<{ sequence: string }>(trx, {
        text: `SELECT sequence FROM audit.records WHERE ${text} ORDER BY sequence LIMIT ${limit}`,
        bindings,
      });
      return rows.map(({ sequence }) => Number(sequence));
    },
    erase: async (numbers, fields) => {
      try {
        const { rows } = await trx.raw<{ rows: { number: string }[] }>(
          'SELECT number FROM audit.redact(CAST(:numbers AS bigint[]), CAST(:fields AS text[])) AS number',
          { numbers: [...numbers], fields: [...fields] },
        );
        return rows.map(({ number }) => Number(number));
      } catch (error) {
        throw restated(error);
      }
    },
    log: createKnexRecordLog(trx),
  };
}

async function conditionOf(trx: Transaction, filter: AuditFilter = noFilter): Promise<Sql | undefined> {
  const found = await findConditions(trx, filter);
  return found && whereSql(found);
}

/** The function explains what it refuses. */
function restated(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '22023') return error;
  const message = error.message.replace(/^.* - /su, '');
  return new CodedError('validation_failed', { detail: `fields: ${message}`, fields: [{ field: 'fields', message }] });
}
