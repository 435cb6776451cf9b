import type { StoredStep, WorkflowTemplate } from '@waybill/contracts/configuration/workflow-template';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows, searchableName } from './query-rows.ts';

/** A revision of a workflow template, and where it comes from. */
export interface AppliedRevision {
  readonly revision: number;
  /** Whether it is the newest one, which new jobs run. */
  readonly current: boolean;
  readonly appliedAt: Date;
  /** `null`: unknown. */
  readonly appliedBy: string | null;
}

/** A revision with the template as it was, without tests. */
export interface RevisionDocument extends AppliedRevision {
  readonly name: string;
  readonly document: Omit<WorkflowTemplate, 'tests'>;
}

/** The template exists even if it has no revision on this page. */
const templateSql = 'FROM directory.workflow_templates t WHERE t.name = :name AND t.retired_at IS NULL';

/**
 * Revisions of a template from the newest, or from before one of them.
 * @throws CodedError `entity_unknown` for a template that does not exist, or was removed
 */
export async function listRevisions(
  on: Queryable,
  name: string,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<AppliedRevision[]> {
  const searched = searchableName(name);
  const [template] =
    searched === undefined
      ? []
      : await queryRows<{ id: string; revision: number }>(on, `SELECT t.id, t.revision ${templateSql}`, {
          name: searched,
        });
  if (!template) throw unknown(`There is no Workflow Template ${name}`);
  return await queryRows<AppliedRevision>(
    on,
    `SELECT revision, revision = :current AS current, created_at AS "appliedAt", applied_by AS "appliedBy"
       FROM directory.workflow_revisions
      WHERE template_id = CAST(:id AS bigint) AND (CAST(:before AS integer) IS NULL OR revision < :before)
      ORDER BY revision DESC LIMIT :limit`,
    { id: template.id, current: template.revision, before: before ?? null, limit },
  );
}

/** One revision of a template. @throws CodedError `entity_unknown` */
export async function readRevision(on: Queryable, name: string, revision: number): Promise<RevisionDocument> {
  const [row] = await queryRows<AppliedRevision & StoredRevision>(
    on,
    `SELECT r.revision, r.revision = t.revision AS current, r.created_at AS "appliedAt", r.applied_by AS "appliedBy",
            t.name, r.description, r.inputs, r.steps, r.outputs
       FROM directory.workflow_revisions r JOIN (SELECT t.* ${templateSql}) t ON t.id = r.template_id
      WHERE r.revision = :revision`,
    { name: searchableName(name) ?? '', revision },
  );
  if (!row) throw unknown(`There is no revision ${revision} of a Workflow Template ${name}`);
  const { current, appliedAt, appliedBy } = row;
  return { name: row.name, revision: row.revision, current, appliedAt, appliedBy, document: documentOf(row) };
}

interface StoredRevision extends Pick<WorkflowTemplate, 'name' | 'description'> {
  readonly inputs: NonNullable<WorkflowTemplate['inputs']>;
  readonly outputs: NonNullable<WorkflowTemplate['outputs']>;
  readonly steps: readonly StoredStep[];
}

/** The template of which a revision was made: without the steps of the workflows that it runs. */
function documentOf({ name, description, inputs, outputs, steps }: StoredRevision): RevisionDocument['document'] {
  const own = steps.filter(({ parent }) => parent === undefined);
  const inSection = (section: StoredStep['section']) =>
    own
      .filter((step) => step.section === section)
      .map(({ section: _section, language: _language, parent: _parent, call: _call, ...step }) => step);
  const [onError, last] = [inSection('onError'), inSection('finally')];
  return {
    name,
    description,
    ...(Object.keys(inputs).length > 0 && { inputs }),
    steps: inSection(undefined),
    ...(onError.length > 0 && { onError }),
    ...(last.length > 0 && { finally: last }),
    ...(Object.keys(outputs).length > 0 && { outputs }),
  };
}

function unknown(detail: string): CodedError {
  return new CodedError('entity_unknown', { detail });
}
