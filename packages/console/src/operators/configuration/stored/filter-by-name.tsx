import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { permissionOn } from '@waybill/contracts/endpoints/administration/resource';
import { useState } from 'react';
import { usePermissions } from '../../api/permissions.ts';
import { FilterText, type FilterTextProps } from '../../lists/filter-fields.tsx';
import { findCollection } from './collection.ts';
import { listObjects } from './objects.ts';

/** A name of an object to filter by. Those that begin with what is typed are suggested, if the user may read the objects. */
export function FilterByName({ collection, ...field }: FilterTextProps & { readonly collection: string }) {
  const [isUsed, setUsed] = useState(false);
  const names = useNames(collection, { prefix: field.value.replace(/\*+$/u, ''), isWanted: isUsed });
  return <FilterText {...field} suggestions={names} onFocus={() => setUsed(true)} />;
}

function useNames(collection: string, { prefix, isWanted }: { readonly prefix: string; readonly isWanted: boolean }) {
  const { may } = usePermissions();
  const resource = findCollection(collection);
  const permission = resource && permissionOn(resource, 'read');
  const { data } = useQuery({
    queryKey: ['configuration', collection, 'names', prefix],
    queryFn: async ({ signal }) => {
      if (resource === undefined) return [];
      const filters = prefix === '' ? {} : { name: `${prefix}*` };
      const { rows } = await listObjects(resource, filters, { cursor: undefined, signal });
      // Two actors may have one name for theirs.
      return [...new Set(rows.map(({ name }) => name))];
    },
    enabled: isWanted && permission !== undefined && may(permission),
    placeholderData: keepPreviousData,
    // What is typed may not be a name: suggestions are no reason for a failure.
    retry: false,
  });
  return data ?? [];
}
