import { readFile } from 'node:fs/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { DestinationGuard } from '@waybill/outbound/address/destination-guard';
import { createHttpClient, type HttpClient } from '@waybill/outbound/http/http-client';
import { textBody } from '@waybill/outbound/http/http-request';
import { noBreaker } from '@waybill/outbound/limits/circuit-breaker';
import { Secret } from '@waybill/service-kit/config/secret';
import type { Destination } from '../../domain/forwarding/destination.ts';
import { messageText } from '../../domain/forwarding/message-text.ts';
import type { StoredRecord } from '../../domain/records/log-record.ts';
import type { WebhookSettings } from './forward-settings.ts';

const connectTimeoutSeconds = 10;
const idleTimeoutSeconds = 15;
const keepMs = 30_000;
const contentTooLarge = 413;

interface Batch {
  readonly text: string;
  readonly bytes: number;
  readonly records: number;
  readonly shortened: number;
}

/** A webhook: POST requests with one record as JSON in each line, signed as in Standard Webhooks. */
export function createWebhookDestination(settings: WebhookSettings, guard: DestinationGuard): Destination & Disposable {
  const { name, from, bytesAtMost } = settings;
  const clients = keepClient(settings, guard);
  // Lowered when the receiver refuses a batch as too large.
  let batchBytes = bytesAtMost;
  return {
    name,
    from,
    deliver: async (records, signal) => {
      const client = await clients.open();
      let batch = batchOf(records, { bytesAtMost, batchBytes });
      let status = await send(client, { records, batch }, signal);
      while (status === contentTooLarge && batch.records > 1) {
        batchBytes = Math.floor(batch.bytes / 2);
        batch = batchOf(records, { bytesAtMost, batchBytes });
        status = await send(client, { records, batch }, signal);
      }
      if (status === contentTooLarge && batch.shortened === 0) {
        batch = batchOf(records.slice(0, 1), { bytesAtMost: 0, batchBytes });
        status = await send(client, { records, batch }, signal);
      }
      if (status >= 200 && status < 300) return { records: batch.records, shortened: batch.shortened };
      throw new CodedError('remote_refused', { detail: `${name} answered ${status}` });
    },
    [Symbol.dispose]: () => clients[Symbol.dispose](),
  };
}

/** As many of the records as the limit allows, and at least one. A record that is too large alone is shortened. */
function batchOf(
  records: readonly StoredRecord[],
  { bytesAtMost, batchBytes }: { readonly bytesAtMost: number; readonly batchBytes: number },
): Batch {
  const lines: string[] = [];
  let [bytes, shortened] = [0, 0];
  for (const record of records) {
    const { text, isShortened } = messageText(record, 'json', bytesAtMost - 1);
    const line = `${text}\n`;
    const size = Buffer.byteLength(line);
    if (lines.length > 0 && bytes + size > batchBytes) break;
    lines.push(line);
    bytes += size;
    if (isShortened) shortened += 1;
  }
  return { text: lines.join(''), bytes, records: lines.length, shortened };
}

async function send(
  client: HttpClient,
  { records, batch }: { readonly records: readonly StoredRecord[]; readonly batch: Batch },
  signal: AbortSignal,
): Promise<number> {
  const [first, last] = [records[0]?.sequence, records[batch.records - 1]?.sequence];
  const request = {
    method: 'POST',
    path: '',
    headers: { 'content-type': 'application/x-ndjson', 'waybill-audit-records': `${first}-${last}` },
    body: textBody(batch.text),
    // The same for a repetition of the batch: ids are unique over all logs.
    idempotencyKey: `waybill-audit-${records[0]?.id}-${batch.records}`,
  } as const;
  using response = await client.send(request, signal);
  return response.status;
}

/** A client for the certificates that the file has now. */
function keepClient(settings: WebhookSettings, guard: DestinationGuard) {
  let kept: { readonly ca: string | undefined; readonly client: HttpClient } | undefined;
  return {
    open: async (): Promise<HttpClient> => {
      const ca = settings.caFile === undefined ? undefined : await readFile(settings.caFile, 'utf8');
      if (kept && kept.ca === ca) return kept.client;
      kept?.client[Symbol.dispose]();
      kept = { ca, client: openClient(settings, { guard, ca }) };
      return kept.client;
    },
    [Symbol.dispose]: () => kept?.client[Symbol.dispose](),
  };
}

function openClient(
  { name, url, signingKeyFile, tokenFile }: WebhookSettings,
  { guard, ca }: { readonly guard: DestinationGuard; readonly ca: string | undefined },
): HttpClient {
  return createHttpClient({
    guard,
    breaker: noBreaker,
    keepMs,
    connection: {
      type: 'http',
      name,
      description: '',
      url,
      enabled: true,
      maxConnections: 1,
      waitSeconds: 0,
      connectTimeoutSeconds,
      idleTimeoutSeconds,
      totalTimeoutSeconds: connectTimeoutSeconds + idleTimeoutSeconds,
      maxRedirects: 0,
      signingKey: signingKeyFile,
      ...(ca !== undefined && { certificateAuthorities: ca }),
    },
    // Read for each request: keys and tokens are replaced.
    readSecrets: async () => ({
      signingKey: await readSecret(signingKeyFile),
      ...(tokenFile !== undefined && { bearerToken: await readSecret(tokenFile) }),
    }),
  });
}

async function readSecret(file: string): Promise<Secret> {
  const value = (await readFile(file, 'utf8')).trim();
  if (value === '') throw new Error(`${file} is empty`);
  return new Secret(value);
}
