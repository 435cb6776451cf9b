import { groups } from '@waybill/cli/command-groups';
import { sections } from '@waybill/cli/command-line/command-sections';
import { processSurroundings } from '@waybill/cli/command-line/process-surroundings';
import { runCommands } from '@waybill/cli/command-line/run-commands';
import { remoteCommands } from '@waybill/cli/remote-commands';
import { serverCommandNames } from '@waybill/cli/server-commands';

process.exitCode = await runCommands(
  { commands: remoteCommands, groups, sections, ofServer: serverCommandNames },
  process.argv.slice(2),
  processSurroundings(),
);
