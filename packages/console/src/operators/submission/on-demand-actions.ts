import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { usePermissions } from '../api/permissions.ts';
import { findCollection } from '../configuration/stored/collection.ts';
import { listObjects } from '../configuration/stored/objects.ts';

/** An action that a job can be submitted for. */
export interface OnDemandAction {
  readonly name: string;
  readonly workflow: string;
  /** Those of the contract, which a submission can replace. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A contract with the actions that jobs can be submitted for. */
export interface OnDemandContract {
  readonly name: string;
  readonly actions: readonly OnDemandAction[];
}

const shownSchema = z.looseObject({
  name: z.string(),
  actions: z.array(
    z.looseObject({
      name: z.string(),
      workflow: z.string(),
      trigger: z.looseObject({ type: z.string() }),
      variables: z.record(z.string(), z.string()).default({}),
    }),
  ),
});

/** The enabled contracts with such actions, as far as they are read; undefined if the user may not read them, or they are too many to choose from. */
export function useOnDemandContracts(): readonly OnDemandContract[] | undefined {
  const enabled = usePermissions().may('configuration:read');
  const { data = [], error } = useQuery({
    queryKey: ['configuration', 'contracts', 'on demand'],
    queryFn: async ({ signal }) => {
      const resource = findCollection('contracts');
      if (resource === undefined) return null;
      const filters = { trigger: 'OnDemand', enabled: 'true' };
      const { rows, next } = await listObjects(resource, filters, { cursor: undefined, signal });
      return next === undefined ? z.array(shownSchema).parse(rows) : null;
    },
    enabled,
  });
  if (!enabled || data === null || error !== null) return undefined;
  return data.map(({ name, actions }) => ({
    name,
    actions: actions.filter(({ trigger }) => trigger.type === 'OnDemand'),
  }));
}
