import { type MetadataValues, metadataValuesSchema } from '@waybill/contracts/endpoints/files/elements/metadata-values';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { explainRequestIssue } from '@waybill/contracts/errors/explain-issue';

/** The metadata in the field of that name; none without it. @throws CodedError `file_request_invalid` */
export function metadataOfForm(fields: ReadonlyMap<string, string>): MetadataValues {
  const text = fields.get('metadata');
  if (text === undefined) return {};
  // What was no UTF-8 has become replacement characters by now. Meant as such, they can be written as \ufffd.
  if (text.includes('\uFFFD')) throw invalid('is not UTF-8');
  let values: unknown;
  try {
    // A byte order mark, which some editors write, is no part of the text (RFC 8259 section 8.1).
    values = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (cause) {
    throw invalid('is to be a flat JSON object of texts', cause);
  }
  const parsed = metadataValuesSchema.safeParse(values, { error: explainRequestIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid([...(issue?.path ?? []), issue?.message].map(String).join(': '), parsed.error);
}

function invalid(detail: string, cause?: unknown): CodedError {
  return new CodedError('file_request_invalid', { detail: `metadata: ${detail}`, cause });
}
