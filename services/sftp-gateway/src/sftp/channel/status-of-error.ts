import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { ErrorCode } from '@waybill/contracts/errors/error-codes';
import { isOutage } from '@waybill/http-kit/failures/is-outage';
import { statusCode, type StatusCode } from '@waybill/sftp-protocol/responses/status-code';

const { noSuchFile, permissionDenied, failure, opUnsupported } = statusCode;

/** The only mapping of codes to SFTP statuses; the compiler finds a missing code. */
const statusOfCode = {
  path_not_found: noSuchFile,
  file_not_found: noSuchFile,

  connection_contract_missing: permissionDenied,
  no_list_permission: permissionDenied,
  no_read_permission: permissionDenied,
  no_write_permission: permissionDenied,
  no_delete_permission: permissionDenied,
  no_rename_permission: permissionDenied,
  no_create_folder_permission: permissionDenied,
  not_permitted: permissionDenied,
  foreign_page_refused: permissionDenied,
  not_authenticated: permissionDenied,
  invalid_credentials: permissionDenied,
  missing_credentials: permissionDenied,
  refresh_token_invalid: permissionDenied,
  password_change_required: permissionDenied,
  oidc_login_refused: permissionDenied,
  second_factor_required: permissionDenied,
  second_factor_refused: permissionDenied,
  second_factor_setup_required: permissionDenied,
  second_factor_absent: failure,
  second_factor_not_allowed: permissionDenied,
  second_factor_exists: failure,
  first_password_refused: failure,
  password_refused: permissionDenied,
  ssh_keys_not_allowed: permissionDenied,
  ssh_key_fixed: permissionDenied,
  ssh_key_refused: failure,
  ssh_key_unknown: failure,
  own_session_unknown: failure,

  operation_unsupported: opUnsupported,

  validation_failed: failure,
  malformed_body: failure,
  unsupported_media_type: failure,
  payload_too_large: failure,
  route_not_found: failure,
  method_not_allowed: failure,
  too_many_requests: failure,
  service_unavailable: failure,
  internal_error: failure,
  cluster_unknown: failure,
  peer_unknown: failure,
  server_unknown: failure,
  session_unknown: failure,
  transfer_unknown: failure,
  peer_not_answering: failure,
  session_limit_reached: failure,
  ssh_algorithm_refused: failure,
  ban_unknown: failure,
  user_unknown: failure,
  contract_unknown: failure,
  action_unknown: failure,
  action_not_on_demand: failure,
  job_unknown: failure,
  job_removed: failure,
  job_transition_refused: failure,
  entity_unknown: failure,
  entity_exists: failure,
  entity_in_use: failure,
  entity_owned: failure,
  plan_unknown: failure,
  plan_outdated: failure,
  configuration_too_large: failure,
  job_revision_refused: failure,
  approval_not_awaited: failure,
  approval_not_permitted: failure,
  queue_unknown: failure,
  queue_already_paused: failure,
  queue_not_paused: failure,
  expectation_unknown: failure,
  expectation_not_open: failure,
  webhook_delivery_unknown: failure,
  webhook_body_removed: failure,
  webhook_replay_pending: failure,
  secret_unknown: failure,
  secret_unreadable: failure,
  connection_unknown: failure,
  destination_refused: failure,
  connection_failed: failure,
  connection_suspended: failure,
  remote_refused: failure,
  key_unknown: failure,
  key_unusable: failure,
  decryption_failed: failure,
  signature_invalid: failure,
  command_refused: failure,
  file_infected: failure,
  job_step_failed: failure,
  expression_invalid: failure,
  filename_missing: failure,
  file_request_invalid: failure,
  delete_request_invalid: failure,
  path_invalid: failure,
  receipt_unknown: failure,
  audit_record_unknown: failure,
  audit_hold_unknown: failure,
  audit_tile_unknown: failure,
  audit_log_altered: failure,
  already_exists: failure,
  precondition_failed: failure,
  idempotency_key_reused: failure,
  folder_not_empty: failure,
  not_a_folder: failure,
  not_a_file: failure,
  metadata_key_refused: failure,
  upload_incomplete: failure,
  upload_in_progress: failure,
  upload_unknown: failure,
  unfinished_upload_limit_reached: failure,
  upload_offset_mismatch: failure,
  upload_is_final: failure,
  checksum_mismatch: failure,
  protocol_version_unsupported: failure,
  byte_limit_reached: failure,
  file_limit_reached: failure,
  folder_limit_reached: failure,
  depth_limit_reached: failure,
  storage_full: failure,
  content_missing: failure,
  configuration_invalid: failure,
  database_mismatch: failure,
  address_too_long: failure,
  headers_too_large: failure,
  range_not_satisfiable: failure,
  request_timeout: failure,
} as const satisfies Record<ErrorCode, StatusCode>;

const notNow = 'The service cannot answer right now: try again in a moment';

/** What the client receives: the number, and a message for its user. */
export interface SftpStatus {
  readonly code: StatusCode;
  readonly message: string;
}

/**
 * The status for a failure. Anything but a CodedError or an outage of a dependency is a bug, whose message is not
 * disclosed to the client. Everything missing has the same message, be it a file or its folder: the difference might
 * disclose a folder that the user must not see.
 */
export function statusOfError(error: unknown): SftpStatus {
  if (isCodedError(error, 'file_not_found')) return statusOfError(new CodedError('path_not_found'));
  if (error instanceof CodedError) return { code: statusOfCode[error.code], message: error.message };
  return { code: failure, message: isOutage(error) ? notNow : 'Something went wrong on our side' };
}
