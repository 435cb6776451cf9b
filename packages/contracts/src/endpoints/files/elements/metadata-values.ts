import { z } from 'zod';
import { metadataLimits } from '../../../values/metadata-limits.ts';
import { soundTextSchema } from '../../../values/sound-text.ts';

const valuesSchema = z
  .record(soundTextSchema.min(1).max(metadataLimits.keyCharacters), soundTextSchema.max(metadataLimits.valueCharacters))
  .refine((values) => Object.keys(values).length <= metadataLimits.keys, `has more than ${metadataLimits.keys} keys`);

/**
 * Metadata as a client sends it: a flat object of strings. Keys with the prefix `SPFB_SP2_FILE_SYS_MD.` are of the
 * system class, all others Generic.
 */
export const metadataValuesSchema = z
  .preprocess((values, context) => {
    // The schema of a record drops this key silently; for a JSON parser it is a normal key.
    if (typeof values === 'object' && values !== null && Object.hasOwn(values, '__proto__')) {
      context.addIssue({ code: 'custom', message: 'the key `__proto__` cannot be used' });
    }
    return values;
  }, valuesSchema)
  .describe('Keys and their values')
  .meta({ example: { BUSINESS_UNIT: 'Accounting', 'SPFB_SP2_FILE_SYS_MD.DESCRIPTION': 'Invoices of March' } });

/** Metadata as a client sends it; all values are strings. */
export type MetadataValues = z.output<typeof metadataValuesSchema>;
