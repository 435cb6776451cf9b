import { z } from 'zod';
import type { ComputationOrder } from '../../domain/workflows/computation.ts';

/** A schema file: its name, and its bytes in Base64. */
const schemaFileSchema = z.object({ name: z.string(), content: z.base64() });

const xmlOrderSchema = z.object({
  schema: schemaFileSchema.optional(),
  includes: z.array(schemaFileSchema),
  allowsDoctype: z.boolean(),
  bytesAtMost: z.number(),
  errorsAtMost: z.number(),
});

/** How a thread checks an XML document. */
export type XmlOrder = z.output<typeof xmlOrderSchema>;
/** A schema file. */
export type SchemaFile = z.output<typeof schemaFileSchema>;

const program = new URL('xml-transformation.ts', import.meta.url);

/** An order for the thread, which ends afterwards: the memory of libxml2 does not shrink. */
export function xmlOrder(order: XmlOrder, input: ComputationOrder['input'], secondsAtMost: number): ComputationOrder {
  return { program, parameters: { order: JSON.stringify(order) }, input, alone: { secondsAtMost } };
}

/** The order that a thread gets. */
export function readXmlOrder({ order = '' }: Readonly<Record<string, string>>): XmlOrder {
  return xmlOrderSchema.parse(JSON.parse(order));
}
