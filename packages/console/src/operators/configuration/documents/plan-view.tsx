import type { AppliedPlanView, PlanView } from '@waybill/contracts/endpoints/administration/configuration-views';
import { texts } from '../../texts/texts.ts';
import { Differences } from './differences.tsx';

const { configuration } = texts;

/** What applying a document would change, and what follows from it. */
export function PlanChanges({ counts, changes, consequences, warnings }: PlanView) {
  return (
    <>
      <p role="status">{changes.length === 0 ? configuration.noChanges : configuration.counts(counts)}</p>
      <Texts title={configuration.consequences} texts={consequences} />
      <Texts
        title={configuration.warnings}
        texts={warnings.map(({ place, message }) => [place, message].filter((part) => part !== '').join(': '))}
      />
      {changes.map(({ change, entityType, name, actor, differences }) => {
        const title = [entityType, name, actor].filter((part) => part !== undefined).join(' · ');
        return (
          <details key={`${entityType} ${name} ${actor ?? ''}`} open={changes.length <= 20 || undefined}>
            <summary>
              <span className="badge">{configuration.change[change]}</span> <bdi>{title}</bdi>
            </summary>
            <Differences label={`${configuration.differences}: ${title}`} differences={differences} />
          </details>
        );
      })}
    </>
  );
}

/** What applying a plan has done. */
export function AppliedPlan({ counts, foldersCreated, firstPasswords }: AppliedPlanView) {
  return (
    <>
      <p role="status">
        <strong className="good">{configuration.applied}</strong> {configuration.counts(counts)}
      </p>
      <Texts title={configuration.foldersCreated} texts={foldersCreated} />
      <Texts title={configuration.firstPasswords} texts={firstPasswords.map(configuration.firstPassword)} />
    </>
  );
}

function Texts({ title, texts: given }: { readonly title: string; readonly texts: readonly string[] }) {
  return (
    given.length > 0 && (
      <>
        <h3>{title}</h3>
        <ul>
          {given.map((text) => (
            <li key={text}>
              <bdi>{text}</bdi>
            </li>
          ))}
        </ul>
      </>
    )
  );
}
