// `npm start`, `npm run tour`, `npm test`, `npm run waybill`: brings what the machine lacks, then hands over.
// Plain JavaScript without dependencies, because it runs before anything is installed and on any Node from 18 on.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './src/dependencies.js';
import { handOver } from './src/hand-over.js';
import { ensureNode } from './src/node-runtime.js';
import { Refusal } from './src/refusal.js';
import { stageNamed } from './src/stages.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const startedAtMs = Date.now();
const [name, ...args] = process.argv.slice(2);

try {
  const stage = stageNamed(name, { root, env: process.env, folder: process.cwd() });
  const node = await ensureNode(root);
  await ensureDependencies(root, node);
  process.exitCode = await handOver({ root, cwd: stage.cwd }, node, [...stage.args, ...args], {
    WAYBILL_BOOTSTRAPPED_AT_MS: String(startedAtMs),
  });
} catch (err) {
  if (!(err instanceof Refusal)) throw err;
  console.error(`\n${err.message}`);
  process.exitCode = 1;
}
