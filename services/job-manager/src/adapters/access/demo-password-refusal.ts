import { exposureOf } from '@waybill/service-kit/network/exposure';
import type { Config } from '../../config.ts';
import type { LoginEvents } from '../../domain/access/login-events.ts';

/** What becomes of demo passwords that are used: they are refused. None if only this machine can reach the service. */
export function demoPasswordRefusal(config: Config, events: Pick<LoginEvents, 'demoPasswordRefused'>) {
  const exposure = exposureOf({ listener: ['HOST', config.HOST], publishedAddress: config.PUBLISHED_ADDRESS });
  return exposure === undefined
    ? undefined
    : { refused: (userName: string) => events.demoPasswordRefused(userName, exposure) };
}
