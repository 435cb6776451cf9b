import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { FileErrorType, FileFailure } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import type { CodedError } from '@waybill/contracts/errors/coded-error';
import { type ErrorCode, errorCodes } from '@waybill/contracts/errors/error-codes';
import type { Failure, FormattedFailure } from '@waybill/http-kit/failures/format-problem';

/** Callers authenticate with a form, for which no scheme is registered; browsers show no prompt then. */
const challenge = 'Cookie realm="waybill", form-action="/2.0/login/basic", cookie-name=sp-http-ses';

/** The form of failures in area D: a result body with one of the interface's texts. `detail` names the wrong part. */
export function formatFileFailure({ error, status, endpoint }: Failure): FormattedFailure & { body: FileFailure } {
  const code = codeOf(error.code, endpoint);
  const errorType = errorTypes.get(code) ?? errorTypeOf(status);
  // An unauthenticated caller is told nothing more, except how long to wait.
  const mayHaveDetail = errorType !== 'authentication' || code === 'too_many_requests' || proved.has(code);
  const hasDetail = mayHaveDetail && error.message !== errorCodes[error.code].title;
  const body: FileFailure = {
    result: 'failed',
    timestamp: new Date().toISOString(),
    message: messageOf(code, error, endpoint),
    errorType,
    ...(hasDetail && { detail: error.message }),
    ...(ofAccounts.has(code) && { code }),
  };
  return { mediaType: 'application/json', body, challenge };
}

/** Failures of callers who have given the right password. */
const proved: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'password_change_required',
  'second_factor_required',
  'second_factor_refused',
  'second_factor_setup_required',
]);

/** Failures that a client can handle, and that the interface has no text for. */
const ofAccounts: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'password_change_required',
  'password_refused',
  'second_factor_required',
  'second_factor_refused',
  'second_factor_setup_required',
  'second_factor_exists',
  'second_factor_absent',
  'second_factor_not_allowed',
  'ssh_keys_not_allowed',
  'ssh_key_refused',
  'ssh_key_fixed',
  'ssh_key_unknown',
  'own_session_unknown',
]);

/** Flaws of a request that have a single text in the interface. */
const flaws: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'validation_failed',
  'malformed_body',
  'unsupported_media_type',
  'path_invalid',
  'metadata_key_refused',
]);

/** Kinds of failures that their status does not determine. */
const errorTypes: ReadonlyMap<ErrorCode, FileErrorType> = new Map<ErrorCode, FileErrorType>([
  ['connection_contract_missing', 'configuration'],
  ['delete_request_invalid', 'syntax_error'],
  ['path_not_found', 'io'],
  ['file_not_found', 'io'],
  ['receipt_unknown', 'io'],
  ['already_exists', 'io'],
  ['precondition_failed', 'io'],
  ['not_a_file', 'io'],
  ['not_a_folder', 'io'],
  ['folder_not_empty', 'io'],
  ['operation_unsupported', 'io'],
  ['upload_incomplete', 'io'],
  ['upload_unknown', 'io'],
  ['unfinished_upload_limit_reached', 'io'],
  ['upload_in_progress', 'io'],
  ['upload_offset_mismatch', 'io'],
  ['upload_is_final', 'request_syntax'],
  ['checksum_mismatch', 'io'],
  ['content_missing', 'io'],
  ['byte_limit_reached', 'io'],
  ['file_limit_reached', 'io'],
  ['folder_limit_reached', 'io'],
  ['depth_limit_reached', 'io'],
  ['storage_full', 'io'],
  ['too_many_requests', 'authentication'],
]);

function errorTypeOf(status: number): FileErrorType {
  if (status === 401) return 'authentication';
  if (status === 403) return 'authorization';
  return status < 500 ? 'request_syntax' : 'internal';
}

/** The interface's code of the failure: deleting has one code for every flaw of a request. */
function codeOf(code: ErrorCode, endpoint: EndpointContract | undefined): ErrorCode {
  if (code === 'not_authenticated') return 'invalid_credentials';
  const isFlaw = flaws.has(code) || code === 'filename_missing';
  if (isFlaw && endpoint?.id === 'deleteFile') return 'delete_request_invalid';
  return flaws.has(code) ? 'file_request_invalid' : code;
}

function messageOf(code: ErrorCode, { names }: CodedError, endpoint: EndpointContract | undefined): string {
  if (code === 'file_not_found') {
    const file = names['file'] ?? '';
    return endpoint?.id === 'readMetadata' ? `${file} doesn't exist` : `File '${file}' doesn't exist`;
  }
  if (code === 'path_not_found') {
    const isListing = endpoint?.id === 'listFolder' || endpoint?.id === 'countElements';
    return isListing ? "Path doesn't exist" : `Path '${names['path'] ?? ''}' doesn't exist`;
  }
  return errorCodes[code].title;
}
