import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Transaction } from '@waybill/postgres/database';
import { administratorFault } from '../checks/check-roles.ts';
import { type BrokenTest, checkAccessTests, findBrokenTests } from '../expected/check-access-tests.ts';
import { queryRows } from '../queries/query-rows.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { EntityOutcome } from './write-in-transaction.ts';

/**
 * Makes changes in a transaction, and checks what they have made of the whole configuration together: the access tests have to
 * hold, and an administrator is left if there was one. A forced change is not stopped by access tests: those that it breaks are
 * returned. @throws CodedError `validation_failed`, `entity_in_use`, and as the changes do
 */
export async function checkOutcome<Outcome extends Pick<EntityOutcome, 'only' | 'configuration'>>(
  trx: Transaction,
  make: () => Promise<Outcome[]>,
  { isForced = false }: { readonly isForced?: boolean } = {},
): Promise<{ readonly outcomes: Outcome[]; readonly broken: readonly BrokenTest[] }> {
  const hadAdministrator = await hasAdministrator(trx);
  const outcomes = await make();
  const accessTests = outcomes.flatMap(({ configuration }) => configuration.accessTests);
  await explainRefusal({ settingOf: (place) => place.replace(/^accessTests\[\d+\]\./u, '') }, async () => {
    if (hadAdministrator && !(await hasAdministrator(trx))) {
      throw new CodedError('configuration_invalid', { fields: [administratorFault] });
    }
    if (!isForced) await checkAccessTests({ trx, only: outcomes.map(({ only }) => only) }, { accessTests });
  });
  const broken = isForced ? await findBrokenTests({ trx, only: outcomes.map(({ only }) => only) }) : [];
  return { outcomes, broken };
}

async function hasAdministrator(trx: Transaction): Promise<boolean> {
  const rows = await queryRows(
    trx,
    `SELECT FROM directory.manager_users WHERE enabled AND 'Administrators' = ANY (roles) LIMIT 1`,
  );
  return rows.length > 0;
}
