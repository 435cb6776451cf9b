import { Refusal } from '@waybill/private-datastores/refusal';
import { configSchema } from './config.ts';

/**
 * What the arguments of `npm start` ask to print instead of starting the platform; `undefined` without arguments.
 * @throws Refusal for anything but `--help`, before an earlier start is stopped
 */
export function helpAskedFor(args: readonly string[]): string | undefined {
  const unknown = args.find((arg) => !['--help', '-h'].includes(arg));
  if (unknown !== undefined) {
    throw new Refusal(
      `npm start takes no arguments, and ${JSON.stringify(unknown)} is one: settings are variables, such as WAYBILL_BASE_PORT=19000 npm start. \`npm start -- --help\` lists them.`,
    );
  }
  return args.length === 0 ? undefined : help();
}

function help(): string {
  const settings = Object.entries(configSchema.shape).map(
    ([name, { description = '' }]) => `  ${name.padEnd(longestName)}  ${description}`,
  );
  return `npm start: starts the whole platform on this machine, until Ctrl-C, and prints its addresses.
An earlier start in the same folder is stopped first. Settings are variables of the environment:

${settings.join('\n')}

docs/running.md explains them.`;
}

const longestName = Math.max(...Object.keys(configSchema.shape).map((name) => name.length));
