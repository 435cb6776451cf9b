import { listExpiriesEndpoint } from '@waybill/contracts/endpoints/administration/list-expiries';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { decodeCursor, pageOf } from '@waybill/http-kit/routing/list-cursor';
import { nextLink } from '@waybill/http-kit/routing/next-link';
import { z } from 'zod';
import type { ListExpiries } from '../../domain/administration/expiries.ts';

const cursorSchema = z.tuple([z.int(), z.string(), z.string()]);

/** Lists what expires. */
export function createListExpiriesHandler({
  listExpiries,
}: {
  readonly listExpiries: ListExpiries;
}): EndpointHandler<typeof listExpiriesEndpoint> {
  return async ({ query, principal, actors }) => {
    const { maxItems, cursor: place, withinDays, actor } = query;
    const after = decodeCursor(cursorSchema, place);
    const wanted = { withinDays, actor, after, limit: maxItems + 1 };
    const found = await listExpiries({ ...principal, actors }, wanted);
    const { items, cursor } = pageOf(found, maxItems, ({ mark }) => mark);
    const next = nextLink(listExpiriesEndpoint.path, query, cursor);
    return { status: 200, body: { items: items.map(({ expiry }) => expiry), ...next } };
  };
}
