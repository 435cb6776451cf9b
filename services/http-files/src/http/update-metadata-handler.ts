import type { updateMetadataEndpoint } from '@waybill/contracts/endpoints/files/update-metadata';
import type { SessionHandler } from '@waybill/http-kit/bind-session-endpoint';
import type { Caller } from '../domain/caller.ts';
import { fileTargetOf } from '../domain/file-target.ts';
import type { createUpdateMetadata } from '../domain/update-metadata.ts';
import { dataflowHeader } from './dataflow-header.ts';
import { fileResult } from './file-result.ts';
import { preconditionsOf } from './preconditions-of.ts';

/** D6. */
export function updateMetadataHandler(
  updateMetadata: ReturnType<typeof createUpdateMetadata>,
): SessionHandler<typeof updateMetadataEndpoint, Caller> {
  return async ({ params, body: values, headers, principal: caller }) => {
    const conditions = preconditionsOf(headers, 'change');
    const file = await updateMetadata(caller, fileTargetOf(params.path), { values, conditions });
    return { status: 200, body: fileResult('Metadata updated', file), headers: dataflowHeader(file.dfic) };
  };
}
