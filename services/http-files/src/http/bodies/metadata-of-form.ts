import { type MetadataValues, metadataValuesSchema } from '@waybill/contracts/endpoints/files/elements/metadata-values';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { explainRequestIssue } from '@waybill/contracts/errors/explain-issue';
import { metadataLimits } from '@waybill/contracts/values/metadata-limits';
import { excessOfJson } from '@waybill/http-kit/body/measure-json';

/** The object, and the text of each key. */
const valuesAtMost = 1 + metadataLimits.keys;

/** The metadata in the field of that name; empty without it. @throws CodedError `file_request_invalid` */
export function metadataOfForm(fields: ReadonlyMap<string, string>): MetadataValues {
  const text = fields.get('metadata');
  if (text === undefined) return {};
  // Bytes that are not UTF-8 were replaced by replacement characters. A literal one can be written as \ufffd.
  if (text.includes('\uFFFD')) throw invalid('is not UTF-8');
  const excess = excessOfJson(Buffer.from(text), valuesAtMost);
  if (excess) throw invalid(`must be a flat JSON object with at most ${metadataLimits.keys} keys`, excess);
  let values: unknown;
  try {
    // A byte order mark, which some editors write, is not part of the text (RFC 8259 section 8.1).
    values = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (cause) {
    throw invalid('must be a flat JSON object of texts', cause);
  }
  const parsed = metadataValuesSchema.safeParse(values, { error: explainRequestIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid([...(issue?.path ?? []), issue?.message].map(String).join(': '), parsed.error);
}

function invalid(detail: string, cause?: unknown): CodedError {
  return new CodedError('file_request_invalid', { detail: `metadata: ${detail}`, cause });
}
