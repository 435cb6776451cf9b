import { useObjectsOf } from '../stored/objects-of-actor.ts';
import { connectionContractSchema } from './connection-contracts.ts';

/** The Connection Contracts of an actor. */
export function useConnectionContracts(actor: string) {
  return useObjectsOf('connection-contracts', connectionContractSchema, actor);
}
