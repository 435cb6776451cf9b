import { processSurroundings } from '@waybill/cli/command-line/process-surroundings';
import { runCommands } from '@waybill/cli/command-line/run-commands';
import { remoteCommands } from '@waybill/cli/remote-commands';

process.exitCode = await runCommands({ commands: remoteCommands }, process.argv.slice(2), processSurroundings());
