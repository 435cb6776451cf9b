import type { Receipt } from '../../domain/receipts/receipt.ts';
import { dataflowHeader } from '../dataflow-header.ts';

/** The headers of a response that describe the stored file. */
export function storedHeaders({ fileset, size, sha256, storedAt, dfiid }: Receipt): Record<string, string> {
  return {
    ETag: `"${sha256}"`,
    'X-Fileset': fileset,
    'X-File-Size': String(size),
    'X-File-SHA256': sha256,
    'X-Stored-At': storedAt.toISOString(),
    ...dataflowHeader({ dfiid }),
  };
}
