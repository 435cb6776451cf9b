import {
  listOutsideNamesEndpoint,
  releaseOutsideNameEndpoint,
} from '@waybill/contracts/endpoints/access/outside-name-endpoints';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import { decodeCursor, pageOf, textMarkSchema } from '@waybill/http-kit/routing/list-cursor';
import { nextLink } from '@waybill/http-kit/routing/next-link';
import type { Route } from '@waybill/http-kit/routing/route';
import { z } from 'zod';
import type { OutsideNames } from '../../domain/access/outside-names.ts';

/** The endpoints about the names of users of an outside issuer; also without one, for what an earlier one has left. */
export function createOutsideNameRoutes(names: OutsideNames): Route[] {
  return [
    bindEndpoint(listOutsideNamesEndpoint, async ({ query }) => {
      const { maxItems, name } = query;
      const wanted = { name, after: nameBefore(query.cursor), limit: maxItems + 1 };
      const page = pageOf(await names.list(wanted), maxItems, (item) => [kindOfMark, item.name]);
      const items = [...page.items];
      return { status: 200, body: { items, ...nextLink(listOutsideNamesEndpoint.path, query, page.cursor) } };
    }),
    bindEndpoint(releaseOutsideNameEndpoint, async ({ params, principal }) => {
      await names.release(principal, params.name);
      return { status: 204 };
    }),
  ];
}

/** Otherwise a cursor of a list with one number in it would be one, too. */
const kindOfMark = 'name';
const cursorSchema = z.tuple([z.literal(kindOfMark), textMarkSchema]);

/** The name after which a page begins. @throws CodedError `validation_failed` */
function nameBefore(cursor: string | undefined): string | undefined {
  return decodeCursor(cursorSchema, cursor)?.[1];
}
