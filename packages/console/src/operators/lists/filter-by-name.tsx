import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { permissionOn } from '@waybill/contracts/endpoints/administration/resource';
import { resourceEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { useState } from 'react';
import { z } from 'zod';
import { callUntyped } from '../api/call-untyped.ts';
import { usePermissions } from '../api/permissions.ts';
import { FilterText, type FilterTextProps } from './filter-fields.tsx';

/** Names that are suggested at once. */
const suggestedAtMost = 100;

const namesSchema = z.object({ items: z.array(z.looseObject({ name: z.string() })) });

/** A name of an object to filter by. Those that begin with what is typed are suggested, if the user may read the objects. */
export function FilterByName({ collection, ...field }: FilterTextProps & { readonly collection: string }) {
  const [isUsed, setUsed] = useState(false);
  const names = useNames(collection, { prefix: field.value.replace(/\*+$/u, ''), isWanted: isUsed });
  return <FilterText {...field} suggestions={names} onFocus={() => setUsed(true)} />;
}

function useNames(collection: string, { prefix, isWanted }: { readonly prefix: string; readonly isWanted: boolean }) {
  const { may } = usePermissions();
  const resource = administeredResources.find((one) => one.collection === collection);
  const permission = resource && permissionOn(resource, 'read');
  const { data } = useQuery({
    queryKey: ['configuration', collection, 'names', prefix],
    queryFn: async ({ signal }) => {
      if (resource === undefined) return [];
      const query = { maxItems: suggestedAtMost, ...(prefix !== '' && { name: `${prefix}*` }) };
      const { text } = await callUntyped(resourceEndpoints(resource).list, { query, signal });
      const { items } = namesSchema.parse(JSON.parse(text));
      // Two actors may have one name for theirs.
      return [...new Set(items.map(({ name }) => name))];
    },
    enabled: isWanted && permission !== undefined && may(permission),
    placeholderData: keepPreviousData,
    // What is typed may not be a name: suggestions are no reason for a failure.
    retry: false,
  });
  return data ?? [];
}
