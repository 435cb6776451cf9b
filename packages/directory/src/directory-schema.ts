import type { OwnedSchema } from '@waybill/postgres/migrate';
import { platform } from './migrations/0001-platform.ts';
import { configuredPasswords } from './migrations/0002-configured-passwords.ts';
import { storageClasses } from './migrations/0003-storage-classes.ts';
import { sessionLimits } from './migrations/0004-session-limits.ts';
import { frozenUsers } from './migrations/0005-frozen-users.ts';
import { userKeys } from './migrations/0006-user-keys.ts';
import { loginEpochs } from './migrations/0007-login-epochs.ts';
import { accessVersion } from './migrations/0008-access-version.ts';
import { firstPasswords } from './migrations/0009-first-passwords.ts';
import { timeTriggers } from './migrations/0010-time-triggers.ts';
import { workflowInputs } from './migrations/0011-workflow-inputs.ts';
import { clientConnections } from './migrations/0012-client-connections.ts';
import { actionGrants } from './migrations/0014-action-grants.ts';
import { pgpKeys } from './migrations/0015-pgp-keys.ts';
import { expectations } from './migrations/0016-expectations.ts';
import { workflowOutputs } from './migrations/0017-workflow-outputs.ts';
import { sources } from './migrations/0020-sources.ts';
import { configurationPlans } from './migrations/0021-configuration-plans.ts';
import { divergences } from './migrations/0022-divergences.ts';
import { roles } from './migrations/0024-roles.ts';
import { accessTests } from './migrations/0027-access-tests.ts';
import { accountPolicies } from './migrations/0028-account-policies.ts';
import { ownKeys } from './migrations/0029-own-keys.ts';
import { revisionAuthors } from './migrations/0030-revision-authors.ts';
import { oidcLinks } from './migrations/0035-oidc-links.ts';
import { userGroups } from './migrations/0036-user-groups.ts';
import { ownedSince } from './migrations/0037-owned-since.ts';
import { configurationChanges } from './migrations/0038-configuration-changes.ts';
import { userLogins } from './migrations/0039-user-logins.ts';
import { usersCreatedAt } from './migrations/0040-users-created-at.ts';
import { freezeReasons } from './migrations/0041-freeze-reasons.ts';
import { ownersCreatedAt } from './migrations/0042-owners-created-at.ts';
import { listedUsers } from './migrations/0043-listed-users.ts';

/** The schema of the applied configuration. */
export const directorySchema: OwnedSchema = {
  schema: 'directory',
  migrations: [
    platform,
    configuredPasswords,
    storageClasses,
    sessionLimits,
    frozenUsers,
    userKeys,
    loginEpochs,
    accessVersion,
    firstPasswords,
    timeTriggers,
    workflowInputs,
    clientConnections,
    pgpKeys,
    actionGrants,
    expectations,
    workflowOutputs,
    sources,
    configurationPlans,
    divergences,
    roles,
    accessTests,
    accountPolicies,
    ownKeys,
    revisionAuthors,
    oidcLinks,
    userGroups,
    ownedSince,
    configurationChanges,
    userLogins,
    usersCreatedAt,
    freezeReasons,
    ownersCreatedAt,
    listedUsers,
  ],
};
