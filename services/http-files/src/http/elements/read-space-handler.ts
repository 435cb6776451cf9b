import type { readSpaceEndpoint } from '@waybill/contracts/endpoints/files/elements/read-space';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import type { ReadSpace } from '../../domain/elements/read-space.ts';

/** Tells the room and the retention at a path. */
export function createReadSpaceHandler(ports: {
  readSpace: ReadSpace;
}): SessionHandler<typeof readSpaceEndpoint, Caller> {
  return async ({ params, principal: caller }) => {
    const path = parseVirtualPath(params.path);
    const place = await ports.readSpace(caller, path);
    const {
      space: { bytes, entries },
      showsFree,
      retention: { hoursAfterPut, hoursAfterGet } = {},
    } = place;
    const shown = ({ total, free }: { total: number; free: number }) => (showsFree ? { total, free } : { total });
    const retention = {
      ...(hoursAfterPut !== undefined && { hoursAfterPut }),
      ...(hoursAfterGet !== undefined && { hoursAfterGet }),
    };
    return {
      status: 200,
      body: { path, ...(bytes && { bytes: shown(bytes) }), ...(entries && { entries: shown(entries) }), retention },
    };
  };
}
