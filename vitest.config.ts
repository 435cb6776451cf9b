import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defaultExclude, defineConfig } from 'vitest/config';

/** As `waitFor` does: the default of a second fails where the machine has other work to do, to which many questions add. */
const expectOptions = { poll: { timeout: 60_000, interval: 100 } };

/** Generous, for machines with other work to do: a wait for a condition gives up sooner. */
const limits = {
  unit: { testTimeout: 60_000, hookTimeout: 60_000, expect: expectOptions },
  integration: { testTimeout: 180_000, hookTimeout: 180_000, expect: expectOptions },
  fuzz: { testTimeout: 900_000, hookTimeout: 120_000, expect: expectOptions },
  endToEnd: { testTimeout: 180_000, hookTimeout: 240_000, expect: expectOptions },
  clients: { testTimeout: 300_000, hookTimeout: 600_000, expect: expectOptions },
};

/**
 * Integration tests that measure, limit or change the process that they run in. Each gets a process of its own; the others
 * share one per worker, which spares the imports of most files.
 */
const isolated = [
  // Memory and open files.
  'packages/filebox/tests/downloads.test.ts',
  'packages/filebox/tests/filebox-on-s3.test.ts',
  'services/http-files/tests/archives.test.ts',
  'services/http-files/tests/transfers.test.ts',
  'services/audit/tests/silent-readers.test.ts',
  'services/sftp-gateway/tests/connection-floods.test.ts',
  'services/sftp-gateway/tests/floods.test.ts',
  'services/sftp-gateway/tests/lost-clients.test.ts',
  // Limits of the process.
  'packages/filebox/tests/storage-full.test.ts',
  'services/http-files/tests/limits.test.ts',
  'services/sftp-gateway/tests/limits.test.ts',
  // Environment variables and timers.
  'packages/filebox/tests/crashes-on-s3.test.ts',
  'packages/filebox/tests/s3-blob-store.test.ts',
  'packages/filebox/tests/suspended-uploads.test.ts',
  'packages/filebox/tests/verify-files.test.ts',
  'services/http-files/tests/resumable-on-s3.test.ts',
  'services/http-files/tests/s3-storage.test.ts',
  'tools/bootstrap/tests/**/*.test.ts',
  // The time that hashing a password takes, and what happens meanwhile: logins, changes of a password or configurations at once.
  'packages/directory/tests/account-policies.test.ts',
  'packages/directory/tests/apply-configuration.test.ts',
  'packages/directory/tests/source-properties.test.ts',
  'services/http-files/tests/guessed-passwords.test.ts',
  'services/http-files/tests/login-sessions.test.ts',
  'services/http-files/tests/own-second-factor.test.ts',
  'services/job-manager/tests/administration.test.ts',
  'services/job-manager/tests/configuration-plans.test.ts',
  'services/job-manager/tests/configuration-turns.test.ts',
  'services/job-manager/tests/first-password.test.ts',
  'services/job-manager/tests/log-in.test.ts',
  'services/job-manager/tests/second-factors.test.ts',
];
// A renamed test would no longer be isolated, without any test failing.
for (const pattern of isolated) {
  if (globSync(pattern, { cwd: import.meta.dirname }).length === 0) {
    throw new Error(`vitest.config.ts: no file matches ${pattern} in the list of isolated tests`);
  }
}

/**
 * Of the processor time of integration tests a fifth would be the cost of hashes of passwords, of which they check thousands. Isolated
 * and end-to-end tests, and the unit tests of the hashes, have the real one.
 */
const lowPasswordCost = {
  find: /^\.\/argon2id-cost\.ts$/,
  replacement: fileURLToPath(new URL('packages/test-kit/src/values/low-argon2id-cost.ts', import.meta.url)),
};

const datastores = ['packages/test-kit/src/start-test-datastores.ts'];
const integrationTests = '{packages,services,tools}/*/tests/**/*.test.ts';

export default defineConfig({
  test: {
    // Tests wait, too: of two cores three workers leave a fifth idle, four a twentieth.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // Processes that tests start, again and again from the same sources, need not compile them each time.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node-compile', import.meta.url)) },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,services,tools}/*/src/**/*.test.ts'],
          // A process for each file takes 126 s of processor time for all of them, one per worker 38 s.
          isolate: false,
          setupFiles: ['packages/console/src/texts/set-up-unit-tests.ts'],
          ...limits.unit,
        },
      },
      {
        resolve: { alias: [lowPasswordCost] },
        test: {
          name: 'integration',
          include: [integrationTests],
          exclude: [...defaultExclude, ...isolated],
          isolate: false,
          globalSetup: datastores,
          provide: { waybillPasswordCost: 'low' },
          ...limits.integration,
        },
      },
      {
        test: {
          name: 'integration-isolated',
          include: isolated,
          globalSetup: datastores,
          ...limits.integration,
        },
      },
      {
        test: {
          name: 'fuzz',
          include: ['{packages,services}/*/fuzz/**/*.test.ts'],
          globalSetup: datastores,
          ...limits.fuzz,
        },
      },
      {
        test: {
          name: 'end-to-end',
          include: ['tests/{end-to-end,console}/**/*.test.ts'],
          globalSetup: [...datastores, 'tools/web-build/src/set-up-tests.ts'],
          ...limits.endToEnd,
        },
      },
      {
        // Other people's clients: `npm run test:clients`, no part of `npm test`.
        test: {
          name: 'clients',
          include: ['tests/clients/**/*.test.ts'],
          globalSetup: ['tests/clients/write-page.ts'],
          maxConcurrency: 4,
          ...limits.clients,
        },
      },
    ],
  },
});
