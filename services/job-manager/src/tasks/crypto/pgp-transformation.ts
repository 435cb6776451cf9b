import { decryptContent } from '@waybill/pgp/decrypt-content';
import { encryptContent, signContent } from '@waybill/pgp/encrypt-content';
import { verifyContent } from '@waybill/pgp/verify-content';
import type { Transformation } from '../../domain/workflows/computation.ts';
import { serveTransformation } from '../serve-transformation.ts';
import { pgpOrderSchema } from './pgp-order.ts';

serveTransformation(begin);

async function begin(
  { order: text = '' }: Readonly<Record<string, string>>,
  input: AsyncIterable<Uint8Array>,
): Promise<Transformation> {
  const order = pgpOrderSchema.parse(JSON.parse(text));
  switch (order.do) {
    case 'encrypt':
      return await encryptContent(input, order);
    case 'decrypt':
      return await decryptContent(input, order);
    case 'sign':
      return await signContent(input, order);
    case 'verify':
    default:
      return await verifyContent(input, order);
  }
}
