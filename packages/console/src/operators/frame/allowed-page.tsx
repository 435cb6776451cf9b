import { type ReactNode, useContext } from 'react';
import { CopyButton } from '../../page-kit/components/copy-button.tsx';
import { useStore } from '../../page-kit/create-store.ts';
import { texts } from '../texts/texts.ts';
import { HiddenPageContext, PageFrame } from './page-frame.tsx';
import { TextNote } from './text-note.tsx';
import { unsavedDrafts } from './unsaved-drafts.ts';

/**
 * A page, or that the user's roles do not allow what it shows. If they are reduced while something is typed there and not saved, the
 * page stays as it is, hidden, and the text can be read and copied: if the roles allow the page again, its user goes on.
 */
export function AllowedPage({ isAllowed, children }: { readonly isAllowed: boolean; readonly children: ReactNode }) {
  const drafts = useStore(unsavedDrafts);
  // A page that checks more than the router does is in another one of these, which has said it then.
  const isHidden = useContext(HiddenPageContext);
  return (
    <>
      {!isAllowed && !isHidden && <NotAllowedPage drafts={drafts} />}
      {(isAllowed || drafts.size > 0) && (
        <HiddenPageContext value={isHidden || !isAllowed}>{children}</HiddenPageContext>
      )}
    </>
  );
}

function NotAllowedPage({ drafts }: { readonly drafts: ReadonlyMap<string, string> }) {
  return (
    <PageFrame title={texts.notAllowedTitle}>
      <p>{texts.notAllowed}</p>
      {drafts.size > 0 && (
        <p className="failure" role="alert">
          {texts.draftNotAllowed}
        </p>
      )}
      {[...drafts].map(([id, text]) => (
        <div key={id}>
          <TextNote text={text} name={texts.draft} />
          <div className="buttons">
            <CopyButton text={text} />
          </div>
        </div>
      ))}
    </PageFrame>
  );
}
