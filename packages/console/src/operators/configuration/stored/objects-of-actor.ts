import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { unlessRefused } from '../../api/refusals.ts';
import { useConfigurationRefresh } from '../../live/live-configuration.ts';
import { findCollection } from './collection.ts';
import { listOfActor } from './objects.ts';

/** The objects of a kind that an actor has. */
export function useObjectsOf<S extends z.ZodType>(collection: string, schema: S, actor: string) {
  const resource = findCollection(collection);
  return useQuery({
    queryKey: ['configuration', collection, 'of actor', actor],
    queryFn: ({ signal }) => {
      if (resource === undefined) throw new Error(collection);
      return listOfActor(resource, schema, { actor, signal });
    },
    refetchInterval: unlessRefused(useConfigurationRefresh()),
  });
}
