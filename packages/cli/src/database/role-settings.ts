import { defaultRolePrefix } from '@waybill/postgres/roles/database-roles';
import type { RoleSettings } from '@waybill/postgres/roles/ensure-roles';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { secretSchema } from '@waybill/service-kit/config/secret';
import type { Environment } from '@waybill/service-kit/config/secret-source';
import { z } from 'zod';

const password = secretSchema.optional();

/** The settings of `waybill migrate` for the database roles. */
const configSchema = z.object({
  DATABASE_ROLE_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/u, 'must be lower-case letters, digits and _, at most 40')
    .default(defaultRolePrefix),
  DATABASE_PASSWORD_MIGRATOR: password,
  DATABASE_PASSWORD_SFTP_GATEWAY: password,
  DATABASE_PASSWORD_HTTP_FILES: password,
  DATABASE_PASSWORD_JOB_MANAGER: password,
  DATABASE_PASSWORD_AUDIT: password,
  DATABASE_PASSWORD_OPERATOR: password,
});

/**
 * The names and new passwords of the roles, from the environment.
 * @throws CodedError `configuration_invalid`
 */
export function roleSettingsOf(env: Environment): RoleSettings {
  const config = loadConfig(configSchema, env);
  const given = {
    migrator: config.DATABASE_PASSWORD_MIGRATOR,
    sftp_gateway: config.DATABASE_PASSWORD_SFTP_GATEWAY,
    http_files: config.DATABASE_PASSWORD_HTTP_FILES,
    job_manager: config.DATABASE_PASSWORD_JOB_MANAGER,
    audit: config.DATABASE_PASSWORD_AUDIT,
    operator: config.DATABASE_PASSWORD_OPERATOR,
  };
  const passwords = Object.fromEntries(
    Object.entries(given).flatMap(([role, secret]) => (secret === undefined ? [] : [[role, secret.reveal()]])),
  );
  return { prefix: config.DATABASE_ROLE_PREFIX, passwords };
}
