import { gunzipSync } from 'node:zlib';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import type { Delivery } from './deliver-invoice.ts';
import { expectStatus } from './expect-status.ts';
import type { Narrator } from './narrator.ts';

/** The user and the delivery. */
export interface CollectOptions {
  acme: HttpClient;
  delivery: Delivery;
}

/** The second half: the output of the contract is downloaded over HTTP, and equals the delivered file. */
export async function collectInvoice({ acme, delivery }: CollectOptions, narrator: Narrator): Promise<void> {
  await narrator.step(
    'acme downloads it over HTTP and unpacks it',
    async () => {
      const answer = expectStatus(await acme.get(`/2.0/files/outbox/${delivery.packedName}`), 200);
      const packed = Buffer.from(answer.bytes);
      if (!gunzipSync(packed).equals(delivery.content)) throw new Error('it is not what was delivered');
      return packed;
    },
    (packed) => `${packed.length} bytes, unpacked ${delivery.content.length}: every byte as it was delivered`,
  );
}
