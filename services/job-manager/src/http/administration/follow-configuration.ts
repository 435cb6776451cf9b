import { followConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/follow-configuration';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import { eventStreamResponse, onceFired } from '@waybill/http-kit/routing/event-stream';
import type { ConfigurationFollowers } from './configuration-followers.ts';

/** What the route needs. */
export interface ConfigurationFollowing {
  readonly configurationFollowers: ConfigurationFollowers;
}

/** Reports changes of the configuration, until the caller's token expires or the caller may not follow it any longer. */
export function followConfigurationRoute({ configurationFollowers }: ConfigurationFollowing) {
  return bindEndpoint(followConfigurationEndpoint, async ({ principal: { userName, expiresAt }, signal }) => {
    const body = configurationFollowers.follow({ userName, endsAt: expiresAt ?? Date.now() });
    onceFired(signal, () => body.push(null));
    return eventStreamResponse(body);
  });
}
