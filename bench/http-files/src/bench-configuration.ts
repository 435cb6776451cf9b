import { randomBytes } from 'node:crypto';
import { accessSchema } from '@waybill/access/access-schema';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { directorySchema } from '@waybill/directory/directory-schema';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { httpFilesSchema } from '@waybill/http-files/http-files-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { secretsSchema } from '@waybill/secrets/secrets-schema';

/** The partner of the benchmark; generated for each run. */
export const user = { name: 'bench', password: randomBytes(18).toString('base64url') };

/** The virtual file system of the benchmark. */
export const vfsName = 'bench-files';

/** Creates the schemas and the one partner, who may do everything in the one virtual file system. */
export async function configure(db: Database): Promise<void> {
  for (const schema of [accessSchema, outboxSchema, directorySchema, fileboxSchema, secretsSchema, httpFilesSchema])
    await migrate(db, schema);
  const clause = { user: user.name, vfs: vfsName };
  const contract = { name: 'bench-http', cluster: 'cluster1', server: 'http-server', clauses: [clause] };
  const actor = { name: 'bench', type: 'Partner', users: [user], virtualFileSystems: [{ name: vfsName }] };
  await applyConfiguration({
    db,
    configuration: parseConfiguration({
      manager: { name: 'manager1' },
      managerUsers: [{ name: 'admin', password: user.password, roles: ['Administrators'] }],
      clusters: [{ name: 'cluster1', servers: [{ name: 'http-server', protocol: 'HTTP' }] }],
      actors: [{ ...actor, connectionContracts: [contract] }],
    }),
    by: { user: 'bench', nodeId: 'bench' },
    files: { countFiles: async () => new Map(), setLimits },
  });
}
