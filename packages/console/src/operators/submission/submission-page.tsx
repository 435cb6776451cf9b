import { useState } from 'react';
import { Link } from 'react-aria-components';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { useFilters } from '../address/use-filters.ts';
import { usePermissions } from '../api/permissions.ts';
import { settingsText } from '../configuration/text/settings-text.ts';
import { OptionalLink } from '../frame/optional-link.tsx';
import { PageFrame } from '../frame/page-frame.tsx';
import { FilterChoice, FilterText } from '../lists/filter-fields.tsx';
import { texts } from '../texts/texts.ts';
import { type OnDemandAction, useOnDemandContracts } from './on-demand-actions.ts';
import { SubmissionButtons } from './submission-buttons.tsx';

const { jobs } = texts;
const names = ['contract', 'action'] as const;

/** Submits a job for an action, after a dry run if the user wants one. The action is in the address. */
export function SubmissionPage() {
  const [{ contract = '', action = '' }, change] = useFilters(names);
  const [variables, setVariables] = useState('');
  const contracts = useOnDemandContracts();
  const actions = contracts?.find(({ name }) => name === contract)?.actions;
  const chosen = actions?.find(({ name }) => name === action);
  const { may } = usePermissions();
  return (
    <PageFrame title={jobs.submitJob.title}>
      <p>
        <Link href="/jobs">{jobs.title}</Link>
      </p>
      <section className="filters" aria-label={jobs.submitJob.what}>
        <NameField
          label={jobs.contract}
          value={contract}
          known={contracts?.map(({ name }) => name)}
          onChange={(value) => change({ contract: value, action: undefined })}
        />
        <NameField
          label={jobs.action}
          value={action}
          known={contracts && (actions ?? []).map(({ name }) => name)}
          onChange={(value) => change({ action: value })}
        />
      </section>
      {chosen !== undefined && <ActionFacts action={chosen} />}
      <TextInput
        label={jobs.submitJob.variables}
        hint={jobs.submitJob.variablesHint}
        value={variables}
        onChange={setVariables}
        isRequired={false}
        hasLines
      />
      <SubmissionButtons
        key={JSON.stringify([contract, action])}
        {...{ contract, action, variables }}
        mayTry={may('configuration:read')}
      />
    </PageFrame>
  );
}

/** What an action runs, and with which variables of its contract. */
function ActionFacts({ action: { workflow, variables } }: { readonly action: OnDemandAction }) {
  const maySeeWorkflows = usePermissions().mayForAll('configuration:read');
  return (
    <section aria-label={jobs.submitJob.ofContract}>
      <p>
        {jobs.workflow}:{' '}
        <OptionalLink
          href={`/configuration/workflow-templates/${encodeURIComponent(workflow)}`}
          isLink={maySeeWorkflows}
          text={workflow}
        />
      </p>
      {Object.keys(variables).length > 0 && (
        <>
          <p className="quiet">{jobs.submitJob.ofContract}</p>
          <pre className="values">{settingsText(variables)}</pre>
        </>
      )}
    </section>
  );
}

/** A name, chosen from those that are known, or typed. */
function NameField(props: {
  readonly label: string;
  readonly value: string;
  readonly known: readonly string[] | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const { label, value, known, onChange } = props;
  if (known === undefined) return <FilterText {...{ label, value, onChange }} />;
  const offered = known.includes(value) || value === '' ? known : [value, ...known];
  return (
    <FilterChoice
      {...{ label, value, onChange }}
      choices={[['', jobs.submitJob.choose], ...offered.map((name) => [name, name] as const)]}
    />
  );
}
