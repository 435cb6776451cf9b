import { webhookSpecification } from '@waybill/contracts/tasks/network-specifications';
import type { StepOutputs } from '../../domain/jobs/job-ledger.ts';
import { defineTask } from '../define-task.ts';
import { sendWebhook } from './send-webhook.ts';

/** Sends a signed event. Each attempt is in the delivery log, and is a line in the log of the step. */
export const webhookTask = defineTask({
  ...webhookSpecification,
  run: async ({ connection, path, event, data }, { connections, signal, log }) => {
    const { idempotencyKey } = connections;
    const body = JSON.stringify({ type: event, timestamp: new Date().toISOString(), data: jsonOf(data) });
    const content = { connection, path, body };
    const send = async (noteStatus: (status: number) => void): Promise<StepOutputs> => {
      const onStatus = (status: number): void => {
        noteStatus(status);
        log(`${event} ${idempotencyKey} to ${connection}: status ${status}`);
      };
      const status = await sendWebhook(connections, content, { signal, onStatus });
      return { id: idempotencyKey, status: String(status) };
    };
    return connections.logDelivery(content, send, signal);
  },
});

/** A text that is JSON, as workflows without other values give it, is meant as what it stands for. */
function jsonOf(data: unknown): unknown {
  if (typeof data !== 'string') return data ?? null;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
