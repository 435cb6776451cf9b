import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Generous, for machines with other work to do: whoever waits for something in particular gives up sooner. */
const limits = {
  unit: { testTimeout: 20_000, hookTimeout: 20_000 },
  integration: { testTimeout: 60_000, hookTimeout: 120_000 },
  fuzz: { testTimeout: 900_000, hookTimeout: 120_000 },
  endToEnd: { testTimeout: 180_000, hookTimeout: 240_000 },
  clients: { testTimeout: 300_000, hookTimeout: 600_000 },
};

export default defineConfig({
  test: {
    // Tests wait more than they compute: one worker more than vitest would take on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,services,tools}/*/src/**/*.test.ts'],
          ...limits.unit,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{packages,services,tools}/*/tests/**/*.test.ts'],
          globalSetup: ['packages/test-kit/src/start-test-datastores.ts'],
          ...limits.integration,
        },
      },
      {
        test: {
          name: 'fuzz',
          include: ['{packages,services}/*/fuzz/**/*.test.ts'],
          globalSetup: ['packages/test-kit/src/start-test-datastores.ts'],
          ...limits.fuzz,
        },
      },
      {
        test: {
          name: 'end-to-end',
          include: ['tests/end-to-end/**/*.test.ts'],
          globalSetup: ['packages/test-kit/src/start-test-datastores.ts'],
          fileParallelism: false,
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
