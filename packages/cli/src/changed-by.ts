import { hostname } from 'node:os';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import type { Environment } from '@waybill/service-kit/config/secret-source';
import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import { z } from 'zod';
import { operatorName } from './command.ts';

/** Who runs a command and where, for the audit log. */
export interface ChangedBy {
  readonly user: string;
  readonly nodeId: string;
  readonly managerName: string;
}

const configSchema = z.object({ MANAGER_NAME: serviceConfigShape.MANAGER_NAME });

/** Who runs the command, for the audit log. */
export function changedBy(env: Environment): ChangedBy {
  const { MANAGER_NAME: managerName } = loadConfig(configSchema, env);
  return { user: operatorName(), nodeId: hostname(), managerName };
}
