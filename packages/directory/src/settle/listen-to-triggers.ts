import { fileEventTriggers } from '@waybill/contracts/messages/file-event-triggers';
import { hasWildcard } from '@waybill/contracts/values/path-pattern';
import { everyFolder, listenTo, fileEventSubject } from '@waybill/outbox/listen-to';
import type { Transaction } from '@waybill/postgres/database';
import type { TriggerType } from '../access/action.ts';
import { queryRows } from '../queries/query-rows.ts';

interface HeardFolder {
  vfsId: string;
  folder: string;
  trigger: TriggerType;
}

/** After the commit, file events are created only if enabled contracts wait for them: with a trigger, or with an expectation. */
export async function listenToTriggers(trx: Transaction): Promise<void> {
  const heard = await queryRows<HeardFolder>(
    trx,
    `SELECT DISTINCT a.vfs_id AS "vfsId", a.trigger_path AS folder, a.trigger_type AS trigger
       FROM directory.contract_actions a JOIN directory.contracts k ON k.id = a.contract_id AND k.enabled
      WHERE a.vfs_id IS NOT NULL AND a.trigger_path IS NOT NULL
     UNION SELECT e.vfs_id, e.virtual_path, 'NewFile'
       FROM directory.contract_expectations e JOIN directory.contracts k ON k.id = e.contract_id AND k.enabled`,
    {},
  );
  const subjects = heard.flatMap(({ trigger, vfsId, folder }) =>
    // Which folders a pattern matches is decided when the job is to be created.
    kindsOf(trigger).map((kind) =>
      fileEventSubject({ kind, vfsId, folder: hasWildcard(folder) ? everyFolder : folder }),
    ),
  );
  await listenTo(trx, 'contracts', subjects);
}

const kinds = [
  'stored',
  'metadataUpdated',
  'downloaded',
] as const satisfies readonly (keyof typeof fileEventTriggers)[];

function kindsOf(trigger: TriggerType): (typeof kinds)[number][] {
  const sets = (kind: (typeof kinds)[number]): readonly TriggerType[] => [
    ...fileEventTriggers[kind].transfer,
    ...fileEventTriggers[kind].job,
  ];
  return kinds.filter((kind) => sets(kind).includes(trigger));
}
