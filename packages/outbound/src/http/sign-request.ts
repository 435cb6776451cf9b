import { createHmac } from 'node:crypto';
import type { Secret } from '@waybill/service-kit/config/secret';
import type { RequestBody } from './http-request.ts';

/** What a signature is about. */
export interface SignedContent {
  readonly id: string;
  /** Seconds since 1970: a receiver refuses old ones, so that a recorded request cannot be sent again. */
  readonly timestamp: number;
  readonly body?: RequestBody | undefined;
}

const prefix = 'whsec_';

/**
 * The headers of a signed request, as in Standard Webhooks 1.0 (standardwebhooks.com): HMAC-SHA-256 over
 * `<id>.<timestamp>.<body>`. Libraries for many languages verify it. The body is read once. A key that begins with `whsec_` is
 * Base64 after it; any other key is its bytes in UTF-8.
 */
export async function signRequest(
  key: Secret,
  { id, timestamp, body }: SignedContent,
): Promise<Record<string, string>> {
  const hmac = createHmac('sha256', keyBytes(key.reveal())).update(`${id}.${timestamp}.`);
  if (body) for await (const chunk of body.content()) hmac.update(chunk);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${hmac.digest('base64')}`,
  };
}

function keyBytes(key: string): Buffer {
  return key.startsWith(prefix) ? Buffer.from(key.slice(prefix.length), 'base64') : Buffer.from(key, 'utf8');
}
