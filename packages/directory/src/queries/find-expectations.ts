import { expectationSchema } from '@waybill/contracts/configuration/expectation';
import type { Queryable } from '@waybill/postgres/database';
import type { ContractExpectation } from '../access/contract-expectation.ts';
import { queryRows } from './query-rows.ts';

/** The expectations of enabled contracts, by contract and name: all, or those of some VFSs. */
export async function findExpectations(on: Queryable, vfsIds?: readonly string[]): Promise<ContractExpectation[]> {
  const rows = await queryRows<{
    contract: string;
    actorId: string;
    vfsId: string;
    appliedAt: Date;
    definition: unknown;
  }>(
    on,
    `SELECT k.name AS contract, k.actor_id AS "actorId", e.vfs_id AS "vfsId", e.applied_at AS "appliedAt", e.definition
       FROM directory.contract_expectations e JOIN directory.contracts k ON k.id = e.contract_id AND k.enabled
      WHERE CAST(:vfsIds AS text) IS NULL OR CAST(e.vfs_id AS text) = ANY (string_to_array(CAST(:vfsIds AS text), ','))
      ORDER BY k.name, e.name`,
    { vfsIds: vfsIds?.join(',') ?? null },
  );
  return rows.map(({ definition, ...row }) => ({ ...row, expectation: expectationSchema.parse(definition) }));
}
