import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import { portSchema } from '@waybill/service-kit/config/value-schemas';
import { z } from 'zod';
import { serviceNames } from './service-name.ts';
import { greatestBasePort } from './with-base-port.ts';

const noBase = `must be a port number from 1 to ${greatestBasePort}`;

const noProcesses = 'is not a number from 1 to 64';

/** The environment variables of `npm start`. */
export const configSchema = z.object({
  WAYBILL_BASE_PORT: z.coerce
    .number(noBase)
    .int(noBase)
    .min(1, noBase)
    .max(greatestBasePort, noBase)
    .optional()
    .describe('The first of eight ports that follow each other'),
  WAYBILL_EDGE_PORT: portSchema(8080).describe('The one HTTP address of the platform'),
  WAYBILL_SFTP_PORT: portSchema(2222).describe('SFTP'),
  WAYBILL_SFTP_GATEWAY_PORT: portSchema(8081).describe('The HTTP side of sftp-gateway, behind the edge'),
  WAYBILL_HTTP_FILES_PORT: portSchema(8082).describe('http-files, behind the edge'),
  WAYBILL_JOB_MANAGER_PORT: portSchema(8083).describe('job-manager, behind the edge'),
  WAYBILL_AUDIT_PORT: portSchema(8084).describe('audit, behind the edge'),
  WAYBILL_POSTGRES_PORT: portSchema(8085).describe('The private PostgreSQL'),
  WAYBILL_REDIS_PORT: portSchema(8086).describe('The private Redis'),
  WAYBILL_DIR: z.string().default('.waybill').describe('Folder of all data, keys and logs'),
  WAYBILL_CONFIGURATION: z
    .string()
    .optional()
    .transform((file) => file || undefined)
    .describe('The configuration file to apply; remembered for the next start. The first is the demo'),
  WAYBILL_REMOVALS: z
    .enum(['', 'allow'], 'is not "allow"')
    .default('')
    .describe('With "allow" this start removes what the configuration file does not have'),
  WAYBILL_WITHOUT: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])))
    .pipe(z.array(z.enum(serviceNames)))
    .describe('Services that are not started, separated by commas: you run them yourself'),
  WAYBILL_SFTP_PROCESSES: z.coerce
    .number(noProcesses)
    .int(noProcesses)
    .min(1, noProcesses)
    .max(64, noProcesses)
    .optional()
    .describe('Processes of sftp-gateway that share the SFTP port'),
  REDIS_URL: z.string().optional().describe('A Redis to use instead of a private one'),
  LOG_LEVEL: serviceConfigShape.LOG_LEVEL,
});

/** The environment of `npm start`, parsed. */
export type Config = z.infer<typeof configSchema>;
