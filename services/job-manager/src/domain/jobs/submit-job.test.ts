import { CodedError } from '@waybill/contracts/errors/coded-error';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import type { Action } from '@waybill/directory/access/action';
import { describe, expect, it } from 'vitest';
import type { NewJob } from './new-job.ts';
import { createSubmitJob, type Submission } from './submit-job.ts';

const composed = { contract: 'Best\u00e4tigungen', action: 'pr\u00fcfen' };
const decomposed = { contract: 'Besta\u0308tigungen', action: 'pru\u0308fen' };

/** A configuration with one action, and a register that refuses every job as a duplicate. */
function submitting(trigger: Action['trigger'] = 'OnDemand') {
  const added: NewJob[] = [];
  const action: Action = {
    contractId: '1',
    contractName: composed.contract,
    contractType: 'Mediation',
    actorName: 'acme',
    actorId: '1',
    actorSinceMs: -Infinity,
    actionName: composed.action,
    trigger,
    schedule: undefined,
    expectation: undefined,
    queue: 'Default Queue',
    workflow: { templateId: 1, name: 'w', revision: 1, description: '', steps: [], inputs: {}, outputs: {} },
    variables: {},
    vfsId: undefined,
  };
  const submit = createSubmitJob({
    directory: {
      findAction: async (contract, name) => {
        if (contract !== composed.contract) throw new CodedError('contract_unknown', { detail: 'There is none' });
        if (name !== composed.action) throw new CodedError('action_unknown', { detail: 'It has none' });
        return action;
      },
      findActor: async () => action,
    },
    register: {
      add: async (job) => {
        added.push(job);
        throw new CodedError('service_unavailable');
      },
      findByIpid: async () => undefined,
      move: async () => undefined,
    },
  });
  return { added, submit };
}

const submissionOf = (names: typeof composed): Submission => ({
  userName: userNameSchema.parse('admin'),
  contractName: names.contract,
  actionName: names.action,
  actionVariables: {},
  extIPID: 'order-4711',
});

describe('a submission', () => {
  it('has one identity, in whatever Unicode form its names are written', async () => {
    const { added, submit } = submitting();
    for (const names of [composed, decomposed, { ...composed, action: decomposed.action }]) {
      await expect(submit(submissionOf(names))).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    expect(new Set(added.map(({ ipid }) => ipid?.toString('hex'))).size).toBe(1);
    expect(new Set(added.map(({ dfic }) => dfic.original_contract))).toEqual(new Set([composed.contract]));
  });

  it.each([
    ['contract_unknown', 'contractName', { ...composed, contract: 'other' }, 'OnDemand'],
    ['action_unknown', 'actionName', { ...composed, action: 'other' }, 'OnDemand'],
    ['action_not_on_demand', 'actionName', composed, 'NewFile'],
  ] as const)('is refused with %s, which names %s', async (code, field, names, trigger) => {
    const { submit } = submitting(trigger);
    await expect(submit(submissionOf(names))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`^${field}: `, 'u')),
      fields: [{ field, message: expect.any(String) }],
    });
  });
});
