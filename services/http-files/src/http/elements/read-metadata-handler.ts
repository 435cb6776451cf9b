import type { readMetadataEndpoint } from '@waybill/contracts/endpoints/files/elements/read-metadata';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import type { FileAccess } from '../../domain/access/file-access.ts';
import { fileTargetOf } from '../../domain/access/file-target.ts';
import { dataflowHeader } from '../file-result.ts';
import { presentMetadata } from './present-metadata.ts';

/** D7. */
export function createReadMetadataHandler(ports: {
  access: FileAccess;
}): SessionHandler<typeof readMetadataEndpoint, Caller> {
  return async ({ params, principal: caller }) => {
    const target = fileTargetOf(params.path);
    const file = await ports.access.lookAtFile(caller.mounts, target);
    return { status: 200, body: presentMetadata(target, file), headers: dataflowHeader(file.dfic) };
  };
}
