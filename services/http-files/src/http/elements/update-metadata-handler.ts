import type { updateMetadataEndpoint } from '@waybill/contracts/endpoints/files/elements/update-metadata';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import { fileTargetOf } from '../../domain/access/file-target.ts';
import type { UpdateMetadata } from '../../domain/elements/update-metadata.ts';
import { dataflowHeader, fileResult } from '../file-result.ts';
import { preconditionsOf } from '../preconditions-of.ts';

/** D6. */
export function createUpdateMetadataHandler(ports: {
  updateMetadata: UpdateMetadata;
}): SessionHandler<typeof updateMetadataEndpoint, Caller> {
  return async ({ params, body: values, headers, principal: caller }) => {
    const conditions = preconditionsOf(headers, 'change');
    const file = await ports.updateMetadata(caller, fileTargetOf(params.path), { values, conditions });
    return { status: 200, body: fileResult('Metadata updated', file), headers: dataflowHeader(file.dfic) };
  };
}
