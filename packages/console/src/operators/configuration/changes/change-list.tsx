import type { ChangePreview, ObjectChange } from '@waybill/contracts/endpoints/administration/configuration-views';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../../texts/texts.ts';
import { Differences } from './differences.tsx';
import { TextList } from './text-list.tsx';

const { configuration } = texts;

/** Objects that change, each with its settings before and after. */
export function ChangeList({ changes }: { readonly changes: readonly ObjectChange[] }) {
  return changes.map(({ change, entityType, name, actor, differences }) => {
    const title = [entityType, name, actor].filter((part) => part !== undefined).join(' · ');
    return (
      <details key={`${entityType} ${name} ${actor ?? ''}`} open={changes.length <= 20 || undefined}>
        <summary>
          <span className="badge">{configuration.change[change]}</span> <OutsideText text={title} />
        </summary>
        <Differences label={`${configuration.differences}: ${title}`} differences={differences} />
      </details>
    );
  });
}

/** What a change of objects would do: the settings before and after, what follows, and what refers to the objects. */
export function PreviewedChange({ changes, consequences, uses }: ChangePreview) {
  return (
    <>
      {changes.length === 0 && <p role="status">{configuration.noDifference}</p>}
      <TextList title={configuration.consequences} texts={consequences} />
      <ChangeList changes={changes} />
      <TextList
        title={configuration.usedBy}
        texts={uses.map(({ entityType, name, actor, setting }) =>
          [entityType, name, actor, setting].filter((part) => part !== undefined).join(' · '),
        )}
      />
    </>
  );
}
