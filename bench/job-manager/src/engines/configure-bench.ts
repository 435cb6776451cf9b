import { randomUUID } from 'node:crypto';
import { accessSchema } from '@waybill/access/access-schema';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { directorySchema } from '@waybill/directory/directory-schema';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { jobsSchema } from '@waybill/job-manager/jobs-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { secretsSchema } from '@waybill/secrets/secrets-schema';

/** The virtual file system of the benchmark. */
export const vfsName = 'bench-files';

/** The queue of its jobs. */
export const queue = { name: 'bench', priority: 5, parallelism: 1_000 };

/** The user who submits them. */
export const userName = userNameSchema.parse('bench');

/** Creates the schemas of a job manager, one partner, one virtual file system and one queue. */
export async function configureBench(db: Database): Promise<void> {
  for (const schema of [outboxSchema, accessSchema, directorySchema, fileboxSchema, jobsSchema, secretsSchema])
    await migrate(db, schema);
  const password = randomUUID();
  const user = { name: userName, password };
  await applyConfiguration({
    db,
    configuration: parseConfiguration({
      manager: { name: 'manager1' },
      managerUsers: [{ name: 'admin', password, roles: ['Administrators'] }],
      clusters: [{ name: 'cluster1', servers: [{ name: 'sftp-server', protocol: 'SFTP' }] }],
      queues: [queue],
      actors: [{ name: 'bench', type: 'Partner', users: [user], virtualFileSystems: [{ name: vfsName }] }],
    }),
    by: { user: 'bench', nodeId: 'bench' },
    files: { countFiles: async () => new Map(), setLimits },
  });
}
