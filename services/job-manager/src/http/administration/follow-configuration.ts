import { followConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/follow-configuration';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import { eventStreamResponse } from '@waybill/http-kit/routing/event-stream';
import type { ConfigurationFollowers } from './configuration-followers.ts';

/** What the route needs. */
export interface ConfigurationFollowing {
  readonly configurationFollowers: ConfigurationFollowers;
}

/** Reports changes of the configuration, until the caller's token expires. */
export function followConfigurationRoute({ configurationFollowers }: ConfigurationFollowing) {
  return bindEndpoint(followConfigurationEndpoint, async ({ principal: { userName, expiresAt }, signal }) => {
    const body = configurationFollowers.follow({ userName, endsAt: expiresAt ?? Date.now() });
    if (signal.aborted) body.destroy();
    return eventStreamResponse(body);
  });
}
