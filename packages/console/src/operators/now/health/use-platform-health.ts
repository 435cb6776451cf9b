import { useQuery } from '@tanstack/react-query';
import { readPlatformHealthEndpoint } from '@waybill/contracts/endpoints/platform/read-platform-health';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { refreshEveryMs } from '../refresh.ts';

/** How the platform does, if the user may see it. */
export function usePlatformHealth(isAllowed: boolean) {
  return useQuery({
    queryKey: ['platform health'],
    queryFn: ({ signal }) => callEndpoint(readPlatformHealthEndpoint, { signal }),
    refetchInterval: refreshEveryMs.checked,
    enabled: isAllowed,
  });
}
