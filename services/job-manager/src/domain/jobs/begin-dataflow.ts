import { randomUUID } from 'node:crypto';
import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';

/** A new dataflow: the one that a submission begins, since no file has begun it. */
export function beginDataflow(origin: { contract: string; action: string; actor: string }): DataflowContext {
  return {
    dfiid: uuidV7(),
    lcid: `${randomUUID()}:0`,
    original_contract: origin.contract,
    original_action: origin.action,
    original_actor: origin.actor,
    userAttrs: {},
  };
}
