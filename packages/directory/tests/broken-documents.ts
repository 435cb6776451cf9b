import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { parseConfiguration } from '../src/parse-configuration.ts';

/** A step of a template. */
export const step = (more: object) => ({ name: 'one', ...more });
/** What a step does that writes into the log. */
export const log = { uses: 'log', with: { message: 'x' } };
/** What a step does that needs a client connection. */
export const push = { uses: 'sftp-push', with: { connection: 'theirs', source: '/a', target: 'b' } };
/** An action that runs a template. */
export const onDemand = (workflow: string, more: object = {}) => ({
  name: `run-${workflow}`,
  trigger: { type: 'OnDemand' },
  vfs: 'files',
  workflow,
  ...more,
});
/** A contract with an action. */
export const contract = (name: string, more: object) => ({
  name,
  type: 'Mediation',
  actions: [onDemand('pack')],
  ...more,
});
/** A manager user who may do everything. */
export const admin = { name: 'admin', password: 'secret-of-admin', roles: ['Administrators'] };
/** An actor with a user of a group that there is not. */
export const acme = {
  name: 'acme',
  type: 'Partner',
  users: [{ name: 'tom', groups: ['clerks'] }],
  virtualFileSystems: [{ name: 'files' }],
};
/** A configuration with nothing else wrong. */
export const whole = {
  managerUsers: [admin],
  workflowTemplates: [{ name: 'pack', steps: [step(log)] }],
  actors: [acme],
};

/** What is wrong with a configuration, as `field: message`. */
export function faultsOf(value: unknown): string[] {
  try {
    parseConfiguration(value);
    return [];
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    return error.fields.map(({ field, message }) => `${field}: ${message}`);
  }
}
