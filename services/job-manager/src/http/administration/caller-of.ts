import type { ActorScope, Principal } from '@waybill/access/principal';
import type { Administrator } from '../../domain/administration/administration.ts';

/** Who makes a request, and the actors to which the permission of its endpoint is limited. */
export function callerOf({ principal, actors }: { principal: Principal; actors: ActorScope }): Administrator {
  return { ...principal, actors };
}
