import { defaultAccountPolicy } from '@waybill/contracts/configuration/accounts/account-policy';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';

/** Policies whose second factor would have no effect: only `default` applies to manager users. */
export function checkAccountPolicies({
  accountPolicies,
}: Pick<PlatformConfiguration, 'accountPolicies'>): FieldError[] {
  return accountPolicies.flatMap(({ name, secondFactor }, index) =>
    secondFactor === undefined || name === defaultAccountPolicy
      ? []
      : [
          {
            field: `accountPolicies[${index}].secondFactor`,
            message: `has no effect here: only the policy ${defaultAccountPolicy} applies to manager users`,
          },
        ],
  );
}
