import type { RuntimeRole } from './database-roles.ts';

type Verb = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'USAGE' | 'EXECUTE';

/**
 * A privilege on a table: on all of its columns, or on those in brackets. `USAGE` is for sequences, `EXECUTE` for functions
 * that run as the owner.
 */
export type Privilege = Verb | `${Verb} (${string})`;

/** The privileges on one table, sequence or function. A role that is not named has none. */
export type ObjectGrants = Readonly<Partial<Record<RuntimeRole, readonly Privilege[]>>>;

const read = ['SELECT'] as const;
const change = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
const append = ['SELECT', 'INSERT'] as const;
const note = ['SELECT', 'INSERT', 'UPDATE'] as const;

/** The columns that a partner's login needs: never the last configured password. */
const partnerLogin =
  'SELECT (id, actor_id, name, password_hash, groups, enabled, definition, max_sessions, login_epoch, password_changed_at, password_change_required)' as const;

/** The tables that every login and every operation of a partner reads. */
const partnerServices = { sftp_gateway: read, http_files: read, operator: change } as const;
const jobs = { job_manager: read, operator: change } as const;
const files = { sftp_gateway: change, http_files: change, job_manager: change } as const;

/**
 * All privileges of the runtime roles, by schema and object. A test fails for a table that is missing here; partitions have
 * no privileges of their own. A schema's table of migrations can be read by every role that has a grant in the schema. Row locks
 * (`FOR UPDATE`) need UPDATE of one column.
 */
export const tableGrants = {
  access: {
    api_keys: {
      sftp_gateway: ['SELECT', 'UPDATE (last_used_at, last_used_from)'],
      audit: ['SELECT', 'UPDATE (last_used_at, last_used_from)'],
      job_manager: ['SELECT', 'INSERT', 'UPDATE (last_used_at, last_used_from)', 'DELETE'],
      operator: ['SELECT (owner, actors, roles, permissions)', 'UPDATE (actors, roles)', 'DELETE'],
    },
    first_password_codes: { job_manager: ['SELECT', 'DELETE'], operator: change },
    refresh_tokens: {
      sftp_gateway: ['SELECT (id, user_name, roles, expires_at, issuer, subject)'],
      audit: ['SELECT (id, user_name, roles, expires_at, issuer, subject)'],
      job_manager: change,
      operator: ['SELECT (user_name)', 'DELETE'],
    },
    outside_names: { job_manager: ['SELECT', 'INSERT', 'UPDATE (last_login_at)', 'DELETE'] },
    // Deleting a second factor deletes its recovery codes.
    second_factors: { job_manager: change, operator: ['SELECT (user_name)', 'DELETE'] },
    recovery_codes: { job_manager: ['SELECT', 'INSERT', 'DELETE'] },
    // The job manager only encrypts them with another key.
    partner_second_factors: {
      http_files: change,
      sftp_gateway: ['SELECT', 'UPDATE (last_step, wrong_codes, blocked_until)'],
      job_manager: ['SELECT (user_name, key_id, ciphertext)', 'UPDATE (key_id, ciphertext)'],
      operator: ['SELECT (user_name, confirmed_at)', 'DELETE'],
    },
    partner_recovery_codes: { http_files: ['SELECT', 'INSERT', 'DELETE'], sftp_gateway: ['SELECT', 'DELETE'] },
  },
  audit: {
    records: { audit: append },
    // Erases personal values, and nothing else.
    redact: { audit: ['EXECUTE'] },
    archives: { audit: append },
    leaf_tiles: { audit: read },
    // The transfers of one user, and nothing else: what http-files shows to the user.
    transfers_of: { http_files: ['EXECUTE'] },
    // Deletes archived records.
    drop_archived: { audit: ['EXECUTE'] },
    // A trigger lets a hold be released, and nothing else be changed.
    holds: { audit: ['SELECT', 'INSERT', 'UPDATE (released_by, released_at, release_reason)'] },
    nodes: { audit: append },
    kinds: { audit: append },
    log_keys: { audit: append },
    key_vouchers: { audit: append },
    // What earlier releases signed.
    digests: { audit: read },
    head: { audit: read },
    // One row, which advances with each batch: a trigger prevents that it goes back.
    tree_head: { audit: ['SELECT', 'INSERT', 'UPDATE'] },
    cosignatures: { audit: ['SELECT', 'INSERT', 'UPDATE'] },
    forward_positions: { audit: ['SELECT', 'INSERT', 'UPDATE'] },
    // One row, which each start replaces.
    settings: { audit: ['SELECT', 'UPDATE (settings)'] },
  },
  directory: {
    // Its trigger writes as the owner.
    access_state: { sftp_gateway: read, http_files: read, operator: read },
    account_policies: { sftp_gateway: read, http_files: read, job_manager: read, operator: change },
    clusters: { sftp_gateway: read, operator: change },
    servers: { sftp_gateway: read, operator: change },
    roles: { sftp_gateway: read, job_manager: read, audit: read, operator: change },
    manager_users: {
      sftp_gateway: ['SELECT (name, roles, enabled, oidc_issuer, oidc_subject)'],
      audit: ['SELECT (name, roles, enabled, oidc_issuer, oidc_subject)'],
      job_manager: [
        'SELECT (id, name, password_hash, roles, enabled, password_changed_at, password_change_required, oidc_issuer, oidc_subject)',
        'UPDATE (password_hash)',
      ],
      operator: change,
    },
    job_queues: jobs,
    workflow_templates: jobs,
    workflow_revisions: { job_manager: read, operator: append },
    // The audit service reads whose names belong to which actor.
    actors: {
      sftp_gateway: read,
      http_files: read,
      job_manager: read,
      audit: ['SELECT (id, name)'],
      operator: change,
    },
    partner_users: {
      // A frozen user's epoch is raised by a trigger. Users see only what is from after they were created.
      sftp_gateway: [partnerLogin, 'SELECT (created_at)', 'UPDATE (login_epoch)'],
      http_files: [partnerLogin, 'SELECT (created_at)'],
      audit: ['SELECT (actor_id, name, owned_since)'],
      operator: change,
    },
    user_groups: partnerServices,
    own_keys: { sftp_gateway: read, http_files: ['SELECT', 'INSERT', 'DELETE'], operator: ['SELECT', 'DELETE'] },
    // The only way for a service to set a password: of a partner user, in the place of one that it knows.
    change_partner_password: { sftp_gateway: ['EXECUTE'], http_files: ['EXECUTE'] },
    // A trigger appends to it.
    password_history: { sftp_gateway: read, http_files: read, job_manager: read },
    virtual_file_systems: {
      sftp_gateway: read,
      http_files: read,
      job_manager: read,
      audit: ['SELECT (actor_id, name, owned_since, retired_at)'],
      operator: change,
    },
    storage_classes: { sftp_gateway: read, http_files: read, job_manager: read, operator: change },
    acl_rules: partnerServices,
    connection_contracts: partnerServices,
    connection_clauses: partnerServices,
    client_connections: jobs,
    pgp_keys: jobs,
    contracts: jobs,
    contract_actions: jobs,
    contract_expectations: jobs,
    frozen_users: { sftp_gateway: ['SELECT', 'INSERT', 'DELETE'], http_files: read, operator: read },
    // Plans hold hashes of passwords.
    configuration_plans: { operator: change },
    configuration_sources: { operator: change },
    access_tests: { operator: change },
    divergences: { operator: change },
    user_logins: { sftp_gateway: note, http_files: note, operator: read },
    key_uses: { sftp_gateway: note, http_files: read, operator: read },
  },
  filebox: {
    entries: { ...files, operator: ['SELECT', 'INSERT', 'UPDATE'] },
    entries_id_seq: { sftp_gateway: ['USAGE'], http_files: ['USAGE'], job_manager: ['USAGE'] },
    uploads: { ...files, operator: read },
    blob_removals: files,
    folder_counts: { ...files, operator: ['SELECT', 'INSERT', 'UPDATE'] },
    vfs_limits: {
      sftp_gateway: ['SELECT', 'UPDATE (bytes, files, folders, room_wanted_until)'],
      http_files: ['SELECT', 'UPDATE (bytes, files, folders, room_wanted_until)'],
      job_manager: ['SELECT', 'UPDATE (bytes, files, folders, room_wanted_until)'],
      operator: change,
    },
    damaged_blobs: { job_manager: read, operator: change },
    verifications: { job_manager: read, operator: ['SELECT', 'INSERT', 'DELETE'] },
  },
  http_files: {
    receipts: { http_files: ['SELECT', 'INSERT', 'UPDATE (path)', 'DELETE'] },
    idempotency_keys: { http_files: change },
    resumable_uploads: { http_files: change, sftp_gateway: ['SELECT (blob_id, length, fileset)', 'DELETE'] },
    login_sessions: {
      http_files: ['SELECT', 'INSERT', 'DELETE'],
      // Operators see and end the sessions of users.
      sftp_gateway: ['SELECT (id, user_name, handle, peer_name, server_name, opened_at, client)', 'DELETE'],
    },
  },
  jobs: {
    // A job that is resumed with a newer revision of its workflow.
    jobs: {
      job_manager: ['SELECT', 'INSERT', 'UPDATE (workflow_template_revision, workflow_template_description, steps)'],
    },
    job_ids: { job_manager: ['SELECT', 'USAGE'] },
    active: { job_manager: change },
    ended: { job_manager: change },
    idempotency_keys: { job_manager: append },
    steps: { job_manager: ['SELECT', 'INSERT', 'UPDATE'] },
    effects: { job_manager: ['SELECT', 'INSERT', 'UPDATE (position)'] },
    history: { job_manager: append },
    history_ids: { job_manager: ['USAGE'] },
    schedules: { job_manager: change },
    queue_pauses: { job_manager: change },
    expectations: { job_manager: change },
    expectation_states: { job_manager: change },
    webhook_deliveries: { job_manager: append },
    webhook_delivery_ids: { job_manager: ['USAGE'] },
    webhook_bodies: { job_manager: ['SELECT', 'INSERT', 'DELETE'] },
    webhook_replays: { job_manager: change },
    workers: { job_manager: change },
    run_statistics: { job_manager: change },
    run_durations: { job_manager: change },
    statistics_progress: { job_manager: ['SELECT', 'UPDATE'] },
    // Only these create and drop partitions; they refuse to drop what has to be kept.
    prepare_ranges: { job_manager: ['EXECUTE'] },
    close_range: { job_manager: ['EXECUTE'] },
    drop_range: { job_manager: ['EXECUTE'] },
  },
  outbox: {
    // Producers append, and report the age of the oldest event; consumers delete events that have taken effect.
    events: {
      sftp_gateway: ['SELECT (topic, created_at)', 'INSERT'],
      http_files: ['SELECT (topic, created_at)', 'INSERT'],
      job_manager: ['SELECT', 'INSERT', 'UPDATE (next_attempt_at, attempts, last_error)', 'DELETE'],
      // It appends what happens at its own interface.
      audit: ['SELECT', 'INSERT', 'UPDATE (next_attempt_at, attempts, last_error)', 'DELETE'],
      // It lists the events that were set aside, and puts them back.
      operator: [
        'SELECT (id, topic, created_at, next_attempt_at, attempts, last_error)',
        'INSERT',
        'UPDATE (next_attempt_at, attempts)',
      ],
    },
    listened: {
      sftp_gateway: read,
      http_files: read,
      job_manager: read,
      audit: read,
      operator: ['SELECT', 'INSERT', 'DELETE'],
    },
  },
  secrets: {
    // The operator sets and deletes secrets, and never reads one.
    secrets: {
      job_manager: ['SELECT', 'UPDATE (key_id, ciphertext)'],
      operator: [
        'SELECT (owner, name, key_id, updated_at, public_key)',
        'INSERT',
        'UPDATE (key_id, ciphertext, updated_at, public_key)',
        'DELETE',
      ],
    },
  },
  sftp_gateway: {
    processes: { sftp_gateway: change },
    open_sessions: {
      sftp_gateway: change,
      // Users see and end their own sessions.
      http_files: ['SELECT (session_id, cluster_name, peer_name, server_name, user_name, opened_at, client)'],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ObjectGrants>>>>;
