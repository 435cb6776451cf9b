import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { TestCase, TestProject } from 'vitest/node';
import { capabilities } from './capabilities.ts';
import { ensureClients } from './ensure-clients.ts';
import './page-entry.ts';
import { renderPage } from './render-page.ts';
import { transferClients } from './transfer-clients.ts';

const page = fileURLToPath(new URL('../../docs/client-compatibility.md', import.meta.url));

/**
 * What vitest runs once before the tests of the project and, by what it returns, once after them: it brings the clients,
 * and writes the page of compatibility from what the runner says of each test. A run of some of the tests writes nothing.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const versions = await ensureClients(transferClients, (line) => project.vitest.logger.log(line));
  return async () => {
    const tests = project.vitest.state
      .getTestModules()
      .filter((module) => module.project.name === project.name)
      .flatMap((module) => [...module.children.allTests()]);
    const isWhole = tests.filter((test) => test.meta().waybillCell !== undefined).length >= cellsOfTheTable;
    if (isWhole) await writeFile(page, renderPage({ tests: tests.map(outcomeOf), versions }));
  };
}

const cellsOfTheTable = capabilities.length * transferClients.length;

function outcomeOf(test: TestCase) {
  return { meta: test.meta(), hasPassed: test.result().state === 'passed' };
}
