import { CodedError } from '@waybill/contracts/errors/coded-error';
import { webhookSpecification } from '@waybill/contracts/tasks/network-specifications';
import { textBody } from '@waybill/outbound/http/http-request';
import { defineTask } from '../define-task.ts';
import { checkResponse } from './check-response.ts';

/** Sends a signed event. The log of the step is its delivery log: a line for each attempt. */
export const webhookTask = defineTask({
  ...webhookSpecification,
  run: async ({ connection, path, event, data }, { connections, signal, log }) => {
    const { idempotencyKey } = connections;
    using lease = await connections.http(connection, signal);
    if (!lease.client.isSigned) {
      const detail = `connection: ${connection} has no signingKey, and webhooks are always signed`;
      throw new CodedError('validation_failed', { detail });
    }
    const timestamp = new Date().toISOString();
    const body = textBody(JSON.stringify({ type: event, timestamp, data: jsonOf(data) }));
    const headers = { 'Content-Type': 'application/json' };
    using exchange = await lease.client.send({ method: 'POST', path, headers, body, idempotencyKey }, signal);
    log(`${event} ${idempotencyKey} to ${connection}: status ${exchange.status}`);
    await checkResponse(exchange, connection, (status) => status >= 200 && status <= 299);
    return { id: idempotencyKey, status: String(exchange.status) };
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
