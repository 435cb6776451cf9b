import { fileURLToPath } from 'node:url';
import { changedFiles } from './stages/changed-files.ts';
import { joinTestStages } from './stages/join-test-stages.ts';
import { parseArguments } from './stages/parse-arguments.ts';
import { runStages } from './stages/run-stages.ts';
import { runTests } from './stages/run-tests.ts';
import { stages, stagesOfChange, stagesOnDemand } from './stages/stages.ts';

// `npm test`: every check and every test of the workspace, or the stages named on the command line; `npm run
// test:clients` names one that is not part of it. `npm test -- --changed[=<commit>]` runs what depends on a change.
const root = fileURLToPath(new URL('../../../', import.meta.url));
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

const { stages: wanted, changedSince } = parseArguments(process.argv.slice(2));
const usual =
  changedSince === undefined ? stages : stagesOfChange(await changedFiles(root, changedSince), changedSince);
const known = changedSince === undefined ? [...stages, ...stagesOnDemand] : usual;
const unknown = wanted.filter((name) => !known.some((stage) => stage.name === name));
if (unknown.length > 0) {
  console.error(`No such stage: ${unknown.join(', ')}. There are: ${known.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 2;
} else {
  const chosen = wanted.length === 0 ? usual : known.filter(({ name }) => wanted.includes(name));
  const joined = joinTestStages(chosen, (projects) => (context) => runTests(context, projects));
  const { passed, failed } = await runStages(joined, { root, signal: interrupted.signal, report: console.log });
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
