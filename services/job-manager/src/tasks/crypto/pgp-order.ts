import { keyMaterialSchema } from '@waybill/pgp/key-material';
import { z } from 'zod';
import type { ComputationOrder } from '../../domain/workflows/computation.ts';

const keys = z.array(keyMaterialSchema);

/** What the thread for OpenPGP is to do. It travels as JSON: keys are in the memory of the two threads, and nowhere else. */
export const pgpOrderSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('encrypt'),
    recipients: keys,
    signer: keyMaterialSchema.optional(),
    armor: z.boolean(),
    compress: z.boolean(),
  }),
  z.object({ do: z.literal('decrypt'), keys, signers: keys }),
  z.object({ do: z.literal('sign'), signer: keyMaterialSchema, armor: z.boolean(), detached: z.boolean() }),
  z.object({ do: z.literal('verify'), signers: keys, signature: z.string().optional() }),
]);

/** What the thread for OpenPGP is to do. */
export type PgpOrder = z.infer<typeof pgpOrderSchema>;

const program = new URL('pgp-transformation.ts', import.meta.url);

/** An order for the thread. */
export function pgpOrder(order: PgpOrder, input: ComputationOrder['input']): ComputationOrder {
  return { program, parameters: { order: JSON.stringify(order) }, input };
}
