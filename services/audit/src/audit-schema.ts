import type { OwnedSchema } from '@waybill/postgres/migrate';
import { record } from './migrations/0001-record.ts';
import { keyVouchers } from './migrations/0002-key-vouchers.ts';
import { tree } from './migrations/0003-tree.ts';
import { personalFields } from './migrations/0004-personal-fields.ts';
import { indexesOfReaders } from './migrations/0005-indexes-of-readers.ts';
import { redaction } from './migrations/0006-redaction.ts';
import { cosignatures } from './migrations/0007-cosignatures.ts';
import { retention } from './migrations/0008-retention.ts';
import { saltsOfFields } from './migrations/0009-salts-of-fields.ts';
import { archivedProducers } from './migrations/0010-archived-producers.ts';
import { settings } from './migrations/0011-settings.ts';
import { forwarding } from './migrations/0012-forwarding.ts';
import { strayIds } from './migrations/0013-stray-ids.ts';
import { transfersOfUsers } from './migrations/0014-transfers-of-users.ts';
import { hashesOfFiles } from './migrations/0015-hashes-of-files.ts';
import { statisticsOfStrays } from './migrations/0016-statistics-of-strays.ts';
import { namesOfFiles } from './migrations/0017-names-of-files.ts';
import { placesOfFiles } from './migrations/0018-places-of-files.ts';
import { sizesOfTransfers } from './migrations/0019-sizes-of-transfers.ts';
import { newNamesOfFiles } from './migrations/0020-new-names-of-files.ts';
import { renamedFolders } from './migrations/0021-renamed-folders.ts';
import { transfersWithoutJobs } from './migrations/0022-transfers-without-jobs.ts';

/** The schema of the audit log. */
export const auditSchema: OwnedSchema = {
  schema: 'audit',
  migrations: [
    record,
    keyVouchers,
    tree,
    personalFields,
    indexesOfReaders,
    redaction,
    cosignatures,
    retention,
    saltsOfFields,
    archivedProducers,
    settings,
    forwarding,
    strayIds,
    transfersOfUsers,
    hashesOfFiles,
    statisticsOfStrays,
    namesOfFiles,
    placesOfFiles,
    sizesOfTransfers,
    newNamesOfFiles,
    renamedFolders,
    transfersWithoutJobs,
  ],
};
