import { processSurroundings } from './command-line/process-surroundings.ts';
import { runCommandLine } from './run-command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), processSurroundings());
