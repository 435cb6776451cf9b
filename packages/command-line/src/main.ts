import { groups } from '@waybill/cli/command-groups';
import { processSurroundings } from '@waybill/cli/command-line/process-surroundings';
import { runCommands } from '@waybill/cli/command-line/run-commands';
import { remoteCommands } from '@waybill/cli/remote-commands';

process.exitCode = await runCommands(
  { commands: remoteCommands, groups },
  process.argv.slice(2),
  processSurroundings(),
);
