import type { Config } from '../configuration/config.ts';
import { type ServiceName, serviceNames } from '../configuration/service-name.ts';
import type { NeededPort } from './assert-ports-free.ts';

const portVariables = {
  'job-manager': 'WAYBILL_JOB_MANAGER_PORT',
  audit: 'WAYBILL_AUDIT_PORT',
  'http-files': 'WAYBILL_HTTP_FILES_PORT',
  'sftp-gateway': 'WAYBILL_SFTP_GATEWAY_PORT',
} as const satisfies Record<ServiceName, keyof Config>;

/** Where the HTTP side of each service listens. */
export function servicePortsOf(config: Config): Readonly<Record<ServiceName, number>> {
  return {
    'job-manager': config.WAYBILL_JOB_MANAGER_PORT,
    audit: config.WAYBILL_AUDIT_PORT,
    'http-files': config.WAYBILL_HTTP_FILES_PORT,
    'sftp-gateway': config.WAYBILL_SFTP_GATEWAY_PORT,
  };
}

/** Every port that this start will listen on. */
export function neededPorts(config: Config): NeededPort[] {
  const services = serviceNames.filter((name) => !config.WAYBILL_WITHOUT.includes(name));
  const variables = [
    'WAYBILL_EDGE_PORT' as const,
    ...(services.includes('sftp-gateway') ? ['WAYBILL_SFTP_PORT' as const] : []),
    ...services.map((name) => portVariables[name]),
    'WAYBILL_POSTGRES_PORT' as const,
    ...(config.REDIS_URL === undefined ? ['WAYBILL_REDIS_PORT' as const] : []),
  ];
  return variables.map((variable) => ({ port: config[variable], variable }));
}
