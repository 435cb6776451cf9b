import { accountErrorCodes } from './account-error-codes.ts';
import { administrationErrorCodes } from './administration-error-codes.ts';

/**
 * The closed list of failures that Waybill reports. Every code has a title (what happened) and a remedy (what to do
 * about it). Statuses are not here: one switch maps the codes to HTTP, and one to SFTP.
 */
export const errorCodes = {
  // Requests in general
  validation_failed: { title: 'The request is not valid', remedy: 'Correct the fields that `errors` names.' },
  malformed_body: { title: 'The request body cannot be read', remedy: 'Send a body of the announced content type.' },
  unsupported_media_type: { title: 'The content type is not supported', remedy: 'Send the content type of the docs.' },
  request_timeout: { title: 'The request arrived too slowly', remedy: 'Send the request again.' },
  address_too_long: { title: 'The address is too long', remedy: 'Send a shorter path or query.' },
  headers_too_large: { title: 'The request headers are too large', remedy: 'Send fewer or shorter headers.' },
  payload_too_large: { title: 'The request is too large', remedy: 'Send a smaller request.' },
  not_permitted: {
    title: 'Your role does not permit this',
    remedy: 'Ask an administrator for the permission or the actor that is named, unless `detail` says what to do.',
  },
  route_not_found: { title: 'There is nothing at this address', remedy: 'Compare the path with the OpenAPI page.' },
  method_not_allowed: { title: 'This address does not take this method', remedy: 'See the `Allow` header.' },
  too_many_requests: { title: 'Too many requests', remedy: 'Wait as long as the `Retry-After` header says.' },
  service_unavailable: { title: 'The service cannot answer right now', remedy: 'Try again in a moment.' },
  internal_error: { title: 'Something went wrong on our side', remedy: 'Report the `requestId` to the operators.' },

  // Accounts
  ...accountErrorCodes,

  // Administration
  ...administrationErrorCodes,

  // Server sessions (area A)
  cluster_unknown: { title: 'There is no such cluster', remedy: 'Name a cluster of the configuration.' },
  peer_unknown: { title: 'There is no such peer in the cluster', remedy: 'Name a peer that is up.' },
  server_unknown: { title: 'There is no such server in the cluster', remedy: 'Name a server of this protocol.' },
  session_unknown: { title: 'There is no such open session', remedy: 'Query the open sessions again.' },
  transfer_unknown: { title: 'There is no such running transfer', remedy: 'List the running transfers again.' },
  user_unknown: { title: 'There is no such user', remedy: 'Name a user of an actor of the configuration.' },
  peer_not_answering: { title: 'The peer did not answer in time', remedy: 'Query the open sessions again.' },

  // Jobs (area B)
  contract_unknown: { title: 'There is no such contract', remedy: 'Name a contract of the configuration.' },
  action_unknown: { title: 'The contract has no such action', remedy: 'Name an action of the contract.' },
  action_not_on_demand: {
    title: 'The action is not started on demand',
    remedy: 'Name an action with an OnDemand trigger.',
  },
  job_unknown: { title: 'There is no such job', remedy: 'List the jobs.' },
  job_removed: {
    title: 'The job of this request was removed',
    remedy: 'The job has run; send a new extIPID to run another one.',
  },
  job_transition_refused: {
    title: 'The job cannot do this in its status',
    remedy: 'Jobs can be aborted until they end, resumed in ERROR or SUSPENDED, resubmitted in COMPLETED or ABORTED.',
  },
  approval_not_awaited: {
    title: 'The job waits for no approval',
    remedy: 'Look at the job: it may have been decided, or its time limit is over.',
  },
  approval_not_permitted: {
    title: 'You may not decide about this job',
    remedy: 'Ask one of the approvers that its step names.',
  },
  job_revision_refused: {
    title: 'The job cannot continue with this revision of its workflow',
    remedy: 'Resume it with its own revision, or resubmit it.',
  },
  queue_unknown: { title: 'There is no such queue', remedy: 'List the queues.' },
  queue_already_paused: { title: 'The queue is paused already', remedy: 'Resume it before you pause it again.' },
  queue_not_paused: { title: 'The queue is not paused', remedy: 'See the state of the queue.' },
  expectation_unknown: { title: 'There is no such state of an expectation', remedy: 'List the expectations.' },
  expectation_not_open: {
    title: 'The state of the expectation cannot be acknowledged',
    remedy: 'Acknowledge missed, late and unexpected files only, and once.',
  },
  webhook_delivery_unknown: {
    title: 'There is no such delivery of a webhook',
    remedy: 'List the deliveries. They are removed with their jobs.',
  },
  webhook_body_removed: {
    title: 'The body of the webhook is not kept',
    remedy: 'Resubmit the job. Bodies are kept for `WEBHOOK_BODY_DAYS`, up to `WEBHOOK_BODY_BYTES`.',
  },
  webhook_replay_pending: {
    title: 'A replay of the delivery has not ended yet',
    remedy: 'Wait for it. Check that a worker runs.',
  },
  job_step_failed: { title: 'A step of the job failed', remedy: 'See the status message of the job.' },
  expression_invalid: {
    title: 'An expression cannot be evaluated',
    remedy: 'Correct the workflow template or its variables.',
  },

  // What jobs use outside of the platform
  secret_unknown: { title: 'There is no such secret', remedy: 'Store it with `waybill secret set` or the API.' },
  secret_unreadable: {
    title: 'A secret cannot be decrypted',
    remedy: 'Put the key that encrypted it back into `SECRET_KEYS`, or set the secret again.',
  },
  connection_unknown: {
    title: 'There is no such client connection',
    remedy: 'Name a client connection of the actor or of the platform.',
  },
  destination_refused: {
    title: 'The destination is not allowed',
    remedy: 'See `OUTBOUND_ALLOWED_HOSTS`, `OUTBOUND_ALLOWED_NETWORKS` and the host keys of the connection.',
  },
  connection_failed: {
    title: 'The other side cannot be reached or has failed',
    remedy: 'Try again later, and ask the partner.',
  },
  connection_suspended: {
    title: 'The other side has failed repeatedly, and is left alone for a while',
    remedy: 'Try again later; the next attempt after the pause is a probe.',
  },
  remote_refused: {
    title: 'The other side has refused the request',
    remedy: 'Correct the credentials, the path or the request, or ask the partner.',
  },
  key_unknown: {
    title: 'There is no such PGP key',
    remedy: 'Add it to `pgpKeys` of the actor or of the platform, or correct the name.',
  },
  key_unusable: {
    title: 'The PGP key cannot be used',
    remedy: 'Replace the key if it has expired or was revoked, or correct its secrets.',
  },
  decryption_failed: {
    title: 'The file cannot be decrypted',
    remedy: 'Ask for the file again, complete, and encrypted for the right key.',
  },
  signature_invalid: {
    title: 'The file is not signed by an accepted signer',
    remedy: 'Ask the partner who signed the file; do not use its content.',
  },
  command_refused: {
    title: 'The command is not allowed',
    remedy: 'See `RUN_COMMANDS` and `RUN_COMMAND_USERS` of the worker.',
  },
  file_infected: { title: 'A virus was found in the file', remedy: 'Do not use the file; tell the partner.' },

  // Audit logs (area C)
  audit_hold_unknown: { title: 'There is no such legal hold', remedy: 'List the holds.' },
  audit_record_unknown: { title: 'There is no such audit record', remedy: 'List the records.' },
  audit_tile_unknown: {
    title: 'The tree of the audit log has no such tile',
    remedy: 'Read the checkpoint, which has the number of records.',
  },
  audit_log_altered: { title: 'The audit log was tampered with', remedy: 'Keep a copy of it as evidence.' },

  // Files (area D, SFTP, job tasks)
  filename_missing: { title: 'No filename specified', remedy: 'Name a file after the folder.' },
  file_request_invalid: { title: 'Missing parameters or syntax error', remedy: 'Compare the request with the docs.' },
  delete_request_invalid: { title: 'missing param or syntax error', remedy: 'Compare the request with the docs.' },
  path_invalid: {
    title: 'The path is not valid',
    remedy: 'Use names of at most 255 bytes, without control characters.',
  },
  connection_contract_missing: {
    title: 'Connection contract not configured',
    remedy: 'Bind the user to a VFS with a Connection Contract for this server.',
  },
  no_list_permission: { title: 'No list permission', remedy: 'Have list granted on the virtual path.' },
  no_read_permission: { title: 'No read permission', remedy: 'Have download granted on the virtual path.' },
  no_write_permission: { title: 'No write permission', remedy: 'Have upload granted on the virtual path.' },
  no_delete_permission: { title: 'No delete permission', remedy: 'Have delete granted on the virtual path.' },
  no_rename_permission: { title: 'No rename permission', remedy: 'Have rename granted on the virtual path.' },
  no_create_folder_permission: {
    title: 'No create folder permission',
    remedy: 'Have createFolder granted on the virtual path.',
  },
  path_not_found: { title: 'The path does not exist', remedy: 'List the folder above it.' },
  file_not_found: { title: 'The file does not exist', remedy: 'List the folder.' },
  receipt_unknown: { title: 'There is no such receipt', remedy: 'Name a fileset that you have uploaded over HTTP.' },
  already_exists: {
    title: 'There is already something of that name',
    remedy: 'Choose another name, or delete it first.',
  },
  precondition_failed: { title: 'The precondition is not met', remedy: 'Read the current state, and decide again.' },
  idempotency_key_reused: {
    title: 'The idempotency key belongs to another request',
    remedy: 'Make a key for each upload, and send it again only with the same path and content.',
  },
  folder_not_empty: { title: 'The folder is not empty', remedy: 'Delete what is in it first.' },
  not_a_folder: { title: 'The path is not a folder', remedy: 'Name a folder.' },
  not_a_file: { title: 'The path is not a file', remedy: 'Name a file.' },
  metadata_key_refused: { title: 'The metadata key cannot be set', remedy: 'Use a user key or a writable system key.' },
  upload_incomplete: { title: 'The upload ended before it was complete', remedy: 'Send the file again.' },
  upload_in_progress: { title: 'The upload is still being written', remedy: 'Try again when it has ended.' },
  upload_unknown: {
    title: 'There is no such upload',
    remedy: 'Begin a new upload, or list the unfinished ones again.',
  },
  unfinished_upload_limit_reached: {
    title: 'Too many uploads are unfinished',
    remedy: 'Finish or end an upload, or wait until one has expired.',
  },
  upload_is_final: {
    title: 'A final upload takes no content',
    remedy: 'Send the content to partial uploads, and join them with `Upload-Concat: final`.',
  },
  upload_offset_mismatch: {
    title: 'The upload does not go on at this offset',
    remedy: 'Ask for the offset with HEAD, and go on there.',
  },
  checksum_mismatch: {
    title: 'The content does not have the checksum that was announced',
    remedy: 'Send the same part again.',
  },
  protocol_version_unsupported: {
    title: 'This version of the protocol is not supported',
    remedy: 'Send `Tus-Resumable` with a version that `Tus-Version` names.',
  },
  range_not_satisfiable: {
    title: 'The range lies outside of the file',
    remedy: 'See the size in the `Content-Range` header.',
  },
  byte_limit_reached: {
    title: 'The limit of bytes of the virtual file system is reached',
    remedy: 'Delete files, or ask the operators for a higher limit.',
  },
  file_limit_reached: {
    title: 'The limit of files of the virtual file system is reached',
    remedy: 'Delete files, or ask the operators for a higher limit.',
  },
  folder_limit_reached: {
    title: 'The limit of folders of the virtual file system is reached',
    remedy: 'Delete folders, or ask the operators for a higher limit.',
  },
  depth_limit_reached: {
    title: 'Folders cannot be nested that deep',
    remedy: 'Choose a place higher up, or ask the operators for a higher limit.',
  },
  storage_full: { title: 'There is no room left to store the file', remedy: 'Ask the operators for room.' },
  content_missing: { title: 'The content of the file is missing', remedy: 'Report the file to the operators.' },
  operation_unsupported: { title: 'This operation is not supported', remedy: 'See the docs for what is.' },
} as const satisfies Record<string, { title: string; remedy: string }>;

/** The stable name of a failure; part of the interface, never renamed. */
export type ErrorCode = keyof typeof errorCodes;
