import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { CronFault, parseCron } from '@waybill/schedule/cron-pattern';

/** Cron expressions that cannot be read, or that never fire. */
export function checkSchedules({ actors }: PlatformConfiguration): FieldError[] {
  return actors.flatMap(({ contracts }, index) =>
    contracts.flatMap(({ actions, expectations = [] }, c) => [
      ...expectations.flatMap(({ cron }, e) =>
        checkCron(cron, `actors[${index}].contracts[${c}].expectations[${e}].cron`),
      ),
      ...actions.flatMap(({ trigger }, a) =>
        trigger.type === 'Time'
          ? checkCron(trigger.cron, `actors[${index}].contracts[${c}].actions[${a}].trigger.cron`)
          : [],
      ),
    ]),
  );
}

function checkCron(cron: string, field: string): FieldError[] {
  try {
    parseCron(cron);
    return [];
  } catch (error) {
    if (!(error instanceof CronFault)) throw error;
    return [{ field, message: error.message }];
  }
}
