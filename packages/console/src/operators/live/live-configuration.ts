import { followConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/follow-configuration';
import { createStore, useStore } from '../../page-kit/create-store.ts';
import { usePermissions } from '../api/permissions.ts';
import { refreshEveryMs, useLiveQueries } from './use-live-queries.ts';

const isReported = createStore(false);

/** What changes with the configuration, or with the state of users that the page of a partner shows. */
const keys = ['configuration', 'freeze', 'ssh keys', 'usage'] as const;
const keysOfRights = ['own permissions'] as const;

/** Reads what all pages show of the configuration again when it changes. One component of the page does this. */
export function useLiveConfiguration(): void {
  const isAllowed = usePermissions().may('configuration:read');
  useLiveQueries({ endpoint: followConfigurationEndpoint, keys, keysOfRights, setLive: isReported.set }, isAllowed);
}

/** How often what a page shows of the configuration must be read in any case, in milliseconds. */
export function useConfigurationRefresh(): number {
  return useStore(isReported) ? refreshEveryMs.live : refreshEveryMs.alone;
}
