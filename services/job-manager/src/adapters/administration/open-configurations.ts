import type { Grant } from '@waybill/access/principal';
import { describeConsequences } from '@waybill/configuration/describe-consequences';
import { type GivenDocument, type ReadDocument, usingDocument } from '@waybill/configuration/document/read-document';
import { renderDocument } from '@waybill/configuration/document/render-document';
import { findDueFiles } from '@waybill/configuration/find-due-files';
import { findWarnings } from '@waybill/configuration/warnings/find-warnings';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { AppliedPlanView, PlanView } from '@waybill/contracts/endpoints/administration/configuration-views';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { assertMayCheck, mayCheck } from '@waybill/directory/administration/assert-may-write';
import { mayNameToReader } from '@waybill/directory/administration/may-name';
import type { Change } from '@waybill/directory/apply/change';
import { type FindFaults, refuseFaults } from '@waybill/directory/checks/check-document';
import { faultsOfSoundSource, faultsOfSource } from '@waybill/directory/checks/faults-of-source';
import { exportSources } from '@waybill/directory/export-source';
import { issueFirstPasswords } from '@waybill/directory/logins/issue-first-passwords';
import { applyPlan } from '@waybill/directory/plans/apply-plan';
import { makePlan, type MadePlan } from '@waybill/directory/plans/make-plan';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';
import type { Administrator } from '../../domain/administration/administration.ts';
import type { Configurations } from '../../domain/administration/configurations.ts';
import { presentChanges } from './present-changes.ts';
import { filePortsOf, makeFolders, makeFoldersOfSource, type WrittenAt } from './written-files.ts';

/**
 * Plans, applies and exports configurations with the rights of the operator: one at a time, because a large one takes hundreds of
 * megabytes. `committed` is called when a plan is in force, and its folders are still to be created. A document whose texts have more
 * than `charactersAtMost` with its variables is refused.
 */
export function createConfigurations(
  db: Database,
  at: WrittenAt,
  { committed = () => {}, ...limits }: { readonly committed?: () => void; readonly charactersAtMost?: number } = {},
): Configurations {
  const files = filePortsOf(db);
  const changedBy = ({ userName: user }: Administrator) => ({ user, ...at });
  const usingThis = <Result>(
    given: GivenDocument,
    { grants }: Pick<Administrator, 'grants'>,
    use: (read: ReadDocument) => Promise<Result>,
  ): Promise<Result> => usingDocument(given, use, { ...limits, findFaults: faultsFor(db, grants) });
  return {
    plan: (given, by) =>
      usingThis(given, by, async ({ configuration, filled, passwordOrigins }) => {
        const options = { db, configuration, files, passwordOrigins, file: given.file };
        const made = await makePlan({ ...options, by: { ...changedBy(by), filled }, grants: by.grants });
        return await presentPlan(db, made, { configuration, filled });
      }),
    apply: (planId, by) => applyAsPlanned(db, planId, by, { by: changedBy(by), committed }),
    validate: async (given, { grants }) => {
      try {
        await usingThis(given, { grants }, async ({ configuration }) => {
          assertMayCheck(grants, configuration);
          refuseFaults(await faultsOfSource(db, configuration, { mayName: mayNameToReader(grants) }));
        });
        return [];
      } catch (error) {
        if (!isCodedError(error, 'configuration_invalid')) throw error;
        return error.fields.length > 0 ? error.fields : [{ field: '', message: error.message }];
      }
    },
    export: async ({ owner, format }, by) => {
      const exported = await exportSources(db, owner);
      const entity = { entityType: 'Configuration', entityName: titleOf(owner), entityId: '' };
      const payload = composeAuditEvent('configurationExported', { ...changedBy(by), ...entity });
      await appendToOutbox(db, [{ topic: 'audit-event', payload }]);
      return exported.map(({ document, ...about }) => ({ ...about, document: renderDocument(document, format) }));
    },
  };
}

/** Puts a plan into force, and creates its folders. A repeated apply, and one of a plan that changes nothing, creates what is missing. */
async function applyAsPlanned(
  db: Database,
  planId: string,
  rights: Administrator,
  { by, committed }: { readonly by: WrittenAt & { readonly user: string }; readonly committed: () => void },
): Promise<AppliedPlanView> {
  const { plan, changes } = await applyPlan({ db, planId, files: filePortsOf(db), by, rights });
  const { id, source, file, counts } = plan;
  const done = { planId: id, source, file, counts };
  if (!changes) {
    const completed = await makeFoldersOfSource(db, source);
    return { ...done, isRepeated: true, foldersCreated: completed, firstPasswords: [] };
  }
  committed();
  const isUnchanged = changes.length === 0;
  const foldersCreated = isUnchanged ? await makeFoldersOfSource(db, source) : await makeFolders(db, changes);
  const firstPasswords = await issueFirstPasswords(db, managersIn(changes, rights));
  return { ...done, isRepeated: false, foldersCreated, firstPasswords };
}

/** Finds what is wrong besides errors of shape. It is not told to somebody who may not check the document. */
function faultsFor(db: Database, grants: readonly Grant[]): FindFaults {
  return async (sound) =>
    mayCheck(grants, sound.configuration)
      ? await faultsOfSoundSource(db, sound, { mayName: mayNameToReader(grants) })
      : [];
}

/**
 * The manager users that were created or changed, which needs the right to have their roles. Who applies a plan gets no code for the
 * own user, and with an API key only those for new users: a stolen token or key must not become a login of a user who exists.
 */
function managersIn(changes: readonly Change[], { userName, apiKeyId }: Administrator): ReadonlySet<string> {
  const written = changes.filter(
    ({ change, entityType, entityName }) =>
      entityType === 'Internal User' &&
      entityName !== userName &&
      (change === 'created' || (change === 'modified' && apiKeyId === undefined)),
  );
  return new Set(written.map(({ entityName }) => entityName));
}

function titleOf(owner: string | null | undefined): string {
  if (owner === undefined) return 'all sources and the API';
  return owner ?? 'the API';
}

async function presentPlan(
  db: Database,
  { plan, changes }: MadePlan,
  { configuration, filled }: { configuration: PlatformConfiguration; filled: ReadonlySet<string> },
): Promise<PlanView> {
  const { id, source, file, counts, createdAt, expiresAt } = plan;
  const dueFiles = await findDueFiles(db, changes);
  return {
    planId: id,
    source,
    file,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    counts,
    changes: presentChanges(changes, filled),
    consequences: describeConsequences(changes, dueFiles),
    warnings: await findWarnings(db, configuration),
  };
}
