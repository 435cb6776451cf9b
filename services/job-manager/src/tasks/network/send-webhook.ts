import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { StepConnections } from '@waybill/outbound/connections/step-connections';
import { textBody } from '@waybill/outbound/http/http-request';
import type { WebhookContent } from '../../domain/deliveries/webhook-delivery.ts';
import { checkResponse } from './check-response.ts';

/**
 * Sends a webhook, signed now, with the key of the connections as its `webhook-id`. Returns the status, which it tells as soon
 * as it knows it.
 * @throws CodedError `validation_failed` (the connection does not sign), and what connections throw
 */
export async function sendWebhook(
  connections: Pick<StepConnections, 'http' | 'idempotencyKey'>,
  { connection, path, body: text }: WebhookContent,
  { signal, onStatus }: { readonly signal: AbortSignal; readonly onStatus: (status: number) => void },
): Promise<number> {
  using lease = await connections.http(connection, signal);
  if (!lease.client.isSigned) {
    const detail = `connection: ${connection} has no signingKey, and webhooks are always signed`;
    throw new CodedError('validation_failed', { detail });
  }
  const { idempotencyKey } = connections;
  const headers = { 'Content-Type': 'application/json' };
  const request = { method: 'POST', path, headers, body: textBody(text), idempotencyKey } as const;
  using exchange = await lease.client.send(request, signal);
  onStatus(exchange.status);
  await checkResponse(exchange, connection, (status) => status >= 200 && status <= 299);
  return exchange.status;
}
