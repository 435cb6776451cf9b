import { useQuery } from '@tanstack/react-query';
import { resourceEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import { resources } from '@waybill/contracts/endpoints/administration/resource-table';
import { z } from 'zod';
import { callUntyped } from '../api/call-untyped.ts';
import { unlessRefused } from '../api/refusals.ts';
import { NewPartnerLink } from '../frame/new-partner-link.tsx';
import { useConfigurationRefresh } from '../live/live-configuration.ts';
import { texts } from '../texts/texts.ts';

const listSchema = z.object({ items: z.array(z.unknown()) });

/** What to do first on a platform without partners. */
export function FirstPartner() {
  const { data: hasPartner } = useQuery({
    queryKey: ['configuration', 'actors', 'any'],
    queryFn: async ({ signal }) => {
      const query = { type: 'Partner', maxItems: 1 };
      const { text } = await callUntyped(resourceEndpoints(resources.actors).list, { query, signal });
      return listSchema.parse(JSON.parse(text)).items.length > 0;
    },
    refetchInterval: unlessRefused(useConfigurationRefresh()),
  });
  if (hasPartner !== false) return null;
  return (
    <p>
      {texts.now.noPartner} <NewPartnerLink />
    </p>
  );
}
