import { z } from 'zod';
import { soundTextSchema } from '../../sound-text.ts';

/** Keys that a file may be given in one request. */
const maxKeys = 1_000;

const valuesSchema = z
  .record(
    soundTextSchema.min(1).max(255),
    z.union([soundTextSchema.max(4_096), z.number().transform(String), z.boolean().transform(String)]),
  )
  .refine((values) => Object.keys(values).length <= maxKeys, `has more than ${maxKeys} keys`);

/**
 * Metadata as a client sends it: a flat object. Keys with the prefix `SPFB_SP2_FILE_SYS_MD.` are of the system class, all
 * others Generic. Numbers and booleans are taken for the texts that they are written as.
 */
export const metadataValuesSchema = z
  .preprocess((values, context) => {
    // The schema of a record drops this key without a word; a JSON parser makes it a key like any other.
    if (typeof values === 'object' && values !== null && Object.hasOwn(values, '__proto__')) {
      context.addIssue({ code: 'custom', message: 'the key `__proto__` cannot be used' });
    }
    return values;
  }, valuesSchema)
  .describe('Keys and their values')
  .meta({ example: { BUSINESS_UNIT: 'Accounting', 'SPFB_SP2_FILE_SYS_MD.DESCRIPTION': 'Invoices of March' } });

/** Metadata as a client sends it, all values texts. */
export type MetadataValues = z.output<typeof metadataValuesSchema>;
