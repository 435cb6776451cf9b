import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { applyConfiguration } from '../src/configuration/apply-configuration.ts';
import { openPlatformFolder, tourFile } from '../src/configuration/platform-folder.ts';
import { startWaybill, type Waybill } from '../src/configuration/start-waybill.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const partner = (name: string) => `
  - name: ${name}
    type: Partner
    users: [{ name: ${name}, password: '\${ACME_PASSWORD:-a-default}' }]
    virtualFileSystems: [{ name: ${name}-files, folders: [/in] }]`;
/** A configuration with these partners. */
export const platform = (...actors: string[]) => `
manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: '\${ADMIN_PASSWORD:-admin-default}', roles: [Administrators] }]
actors: ${actors.map(partner).join('')}
`;

/** Starts a command line that rigs share, as its modules take longer to load than its commands to run. */
export function startWaybillOfRigs(): Waybill {
  return startWaybill({ root, signal: new AbortController().signal });
}

/** A migrated database and a folder for the starts of one platform. */
export type ConfigurationRig = Awaited<ReturnType<typeof openConfigurationRig>>;

/** Opens a rig without a configuration, which runs its commands with `waybill`. */
export async function openConfigurationRig(waybill: Waybill) {
  const migrate = (url: string): Promise<void> =>
    waybill.succeed(['migrate'], { DATABASE_URL: url, DATABASE_PASSWORD_OPERATOR: testRoles.passwords.operator });
  const database = await createTestDatabase({ name: 'local_platform', prepare: migrate });
  const files = await createTestFolder();
  const folder = openPlatformFolder(path.join(files.path, 'platform'));
  return {
    database,
    files,
    folder,
    close: async () => {
      await database.drop();
      await files.remove();
    },
    /** Runs the part of a start between the migrations and the services, with `env` as its environment. */
    start: async (env: Readonly<Record<string, string>> = {}) => {
      const lines: string[] = [];
      const inForce = await applyConfiguration({
        root,
        folder,
        env,
        config: {
          WAYBILL_CONFIGURATION: env['WAYBILL_CONFIGURATION'],
          WAYBILL_REMOVALS: env['WAYBILL_REMOVALS'] === 'allow' ? 'allow' : '',
          WAYBILL_EDGE_PORT: 19_000,
        },
        environment: { DATABASE_URL: urlAs('operator', database.url), MANAGER_NAME: 'manager1', ACME_PUBLIC_KEY: '' },
        waybill,
        report: (line) => lines.push(line),
      });
      await writeFile(tourFile(folder), '');
      return { lines, inForce };
    },
    /** Writes the text to the configuration file of the rig. */
    configurationFile: async (text: string): Promise<string> => {
      const file = path.join(files.path, 'platform.yaml');
      await writeFile(file, text);
      return file;
    },
    /** Applies a file by hand, as the operator. */
    apply: async (file: string, variables: Readonly<Record<string, string>>) => {
      await waybill.succeed(['apply', file], { DATABASE_URL: urlAs('operator', database.url), ...variables });
    },
    /** Whether admin can log in with the password. */
    logsIn: async (password: string): Promise<boolean> => {
      const db = connectPostgres({ url: database.url, poolSize: 1, applicationName: 'test' });
      try {
        const name = userNameSchema.parse('admin');
        return (await openDirectory({ db }).authenticateManagerUser(name, password)) !== undefined;
      } finally {
        await db.destroy();
      }
    },
  };
}
