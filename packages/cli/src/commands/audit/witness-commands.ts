import { once } from 'node:events';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { anyPortSchema } from '@waybill/service-kit/config/value-schemas';
import { openWitnessKey } from '@waybill/witness/witness-key';
import { forgetLog } from '@waybill/witness/witness-state';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { neededOption, textOption } from '../../platform/option-values.ts';

const keyOptions = {
  key: neededOption('file', 'The file with the private key of the witness, in PEM.'),
  name: neededOption('name', 'The name of the witness, such as witness.example.org/w1.'),
} as const;

/** Shows the verifier key of a witness, whose private key is generated if it is missing. */
export const witnessKeyCommand: Command = {
  summary: 'Shows the verifier key of a witness; generates its key if the file is missing.',
  examples: ['waybill witness key --key witness.pem --name witness.example.org/w1'],
  options: keyOptions,
  run: async ({ values, out }) => {
    const { verifierKey } = await explained(() => openWitnessKey(given(values, 'key'), given(values, 'name')));
    out(verifierKey);
  },
};

/** Runs a witness until the process is told to stop. */
export const witnessServeCommand: Command = {
  summary: 'Runs a witness, which cosigns the checkpoints of audit logs as long as they continue each other.',
  examples: [
    'waybill witness serve --key witness.pem --name witness.example.org/w1 --logs logs.txt --state state.json',
  ],
  options: {
    ...keyOptions,
    logs: neededOption('file', 'The file with the verifier keys of the logs that it cosigns.'),
    state: neededOption('file', 'The file in which the witness remembers the last checkpoint of each log.'),
    host: { ...textOption('address', 'The address at which it listens.'), usual: '127.0.0.1' },
    port: { ...textOption('port', 'The port at which it listens.'), usual: '8090' },
  },
  run: async ({ values, out }) => {
    const port = anyPortSchema.safeParse(values['port']);
    if (!port.success) throw new UsageError('--port is not a port number');
    const host = given(values, 'host');
    const files = { keyFile: given(values, 'key'), logsFile: given(values, 'logs'), stateFile: given(values, 'state') };
    const options = { ...files, name: given(values, 'name'), host, port: port.data };
    const { runWitness } = await import('@waybill/witness/run-witness');
    await using witness = await explained(() => runWitness(options));
    out(`${witness.verifierKey} cosigns at http://${host}:${witness.port}/add-checkpoint`);
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  },
};

/** Lets a witness continue after the operator of a log has explained why the log goes back. */
export const witnessForgetCommand: Command = {
  summary:
    'Removes what a witness remembers of a log, so that it accepts the next checkpoint as the first. Stop it before.',
  examples: ['waybill witness forget --state state.json --origin waybill.example/4f2a'],
  options: {
    state: neededOption('file', 'The file in which the witness remembers the last checkpoint of each log.'),
    origin: neededOption('origin', 'The origin of the log, as its checkpoints name it.'),
  },
  run: async ({ values, out }) => {
    const forgotten = await explained(() => forgetLog(given(values, 'state'), given(values, 'origin')));
    if (forgotten === undefined) throw new UsageError('the state has no checkpoint of this origin');
    out(`The last checkpoint was:\n${forgotten}`);
  },
};

function given(values: Invocation['values'], name: string): string {
  const value = values[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageError(`give --${name}`);
}

async function explained<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw cause instanceof UsageError ? cause : new CodedError('configuration_invalid', { detail, cause });
  }
}
