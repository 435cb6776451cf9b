import type { readVfsUsageEndpoint } from '@waybill/contracts/endpoints/administration/read-vfs-usage';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { ReadVfsUsage } from '../../domain/administration/vfs-usage.ts';

/** Reads what a virtual file system holds. */
export function createReadVfsUsageHandler({
  readVfsUsage,
}: {
  readonly readVfsUsage: ReadVfsUsage;
}): EndpointHandler<typeof readVfsUsageEndpoint> {
  return async ({ params: { name }, actors }) => ({ status: 200, body: await readVfsUsage(name, actors) });
}
