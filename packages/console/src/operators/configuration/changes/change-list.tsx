import type { ChangePreview, ObjectChange } from '@waybill/contracts/endpoints/administration/configuration-views';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../../texts/texts.ts';
import { Differences } from './differences.tsx';
import { TextList } from './text-list.tsx';

const { configuration } = texts;

/** Objects that change, or have changed, each with its settings before and after. */
export function ChangeList(props: { readonly changes: readonly ObjectChange[]; readonly isDone: boolean }) {
  const { changes, isDone } = props;
  const words = isDone ? configuration.change : configuration.willChange;
  return changes.map(({ change, entityType, name, actor, differences }) => {
    const title = [entityType, name, actor].filter((part) => part !== undefined).join(' · ');
    return (
      <details key={`${entityType} ${name} ${actor ?? ''}`} open={changes.length <= 20 || undefined}>
        <summary>
          <span className="badge">{words[change]}</span> <OutsideText text={title} />
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
      <ChangeList changes={changes} isDone={false} />
      <TextList
        title={configuration.usedBy}
        texts={uses.map(({ entityType, name, actor, setting }) =>
          [entityType, name, actor, setting].filter((part) => part !== undefined).join(' · '),
        )}
      />
    </>
  );
}
