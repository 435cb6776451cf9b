import { Readable } from 'node:stream';
import type { exportAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import type { listAuditKeysEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-keys';
import type { proveAuditConsistencyEndpoint } from '@waybill/contracts/endpoints/audit-logs/prove-audit-consistency';
import type { proveAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/prove-audit-record';
import type { readAuditCheckpointEndpoint } from '@waybill/contracts/endpoints/audit-logs/read-audit-checkpoint';
import type { readAuditTileEndpoint } from '@waybill/contracts/endpoints/audit-logs/read-audit-tile';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { createOpenStreams } from '@waybill/http-kit/routing/open-streams';
import type { LogReader } from '../domain/reading/log-reader.ts';

/** The handlers of the endpoints that serve the tree of the audit log. */
export interface LogProofHandlers {
  readonly readCheckpoint: EndpointHandler<typeof readAuditCheckpointEndpoint>;
  readonly listKeys: EndpointHandler<typeof listAuditKeysEndpoint>;
  readonly readTile: EndpointHandler<typeof readAuditTileEndpoint>;
  readonly proveRecord: EndpointHandler<typeof proveAuditRecordEndpoint>;
  readonly proveConsistency: EndpointHandler<typeof proveAuditConsistencyEndpoint>;
  readonly exportRecords: EndpointHandler<typeof exportAuditRecordsEndpoint>;
}

const limits = { inAll: 20, ofUser: 10, action: 'export the audit log' } as const;

/** Creates the handlers. Only what never changes may be cached. */
export function createLogProofHandlers({ reader }: { reader: LogReader }): LogProofHandlers {
  const exports = createOpenStreams(limits);
  return {
    readCheckpoint: async ({ query }) => text(await reader.checkpoint({ mustBeCosigned: query.cosigned === 'true' })),
    listKeys: async ({ query }) => {
      const isFull = query.validity === 'true';
      const lines = (await reader.keys()).map(({ key, from, to }) => (isFull ? `${key} ${from} ${to ?? '-'}` : key));
      return text(lines.map((line) => `${line}\n`).join(''));
    },
    readTile: async ({ params }) => ({
      status: 200,
      body: await reader.tile(params.path),
      headers: { 'cache-control': 'private, max-age=31536000, immutable' },
    }),
    proveRecord: async ({ params }) => text(await reader.prove(params.id)),
    proveConsistency: async ({ query }) => text(await reader.proveConsistency(query.from, query.to)),
    exportRecords: async ({ query, principal }) => {
      const close = exports.open(principal.userName);
      const opened = await reader.openExport(query).catch((error: unknown) => {
        close();
        throw error;
      });
      const { checkpoint, lines } = opened;
      return {
        status: 200,
        body: Readable.from(lines(), { objectMode: false }).once('close', close),
        headers: {
          'X-Audit-Checkpoint': Buffer.from(checkpoint).toString('base64'),
          ...(query.format === 'csv' && { 'content-type': 'text/csv; charset=utf-8; header=present' }),
        },
      };
    },
  };
}

function text(content: string) {
  return { status: 200 as const, body: Buffer.from(content), headers: { 'cache-control': 'no-store' } };
}
