import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { Link } from 'react-aria-components';
import { DialogRoom } from '../../page-kit/components/kept-dialogs.tsx';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { useDocumentTitle } from '../../page-kit/use-document-title.ts';
import { useLastFailure } from '../../page-kit/use-last-failure.ts';
import { isOld, isUnknown } from '../api/refusals.ts';
import { texts } from '../texts/texts.ts';
import { addressOf } from './section-search.ts';
import { SectionContext } from './section.ts';

let isFirstPage = true;

/** Whether a page is kept although its user may not see it any more. */
export const HiddenPageContext = createContext(false);

/** A page: its title, what can be done, and its content. A screen reader reads its title when a link leads to it. */
export function PageFrame(props: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, actions, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const isHidden = useContext(HiddenPageContext);
  useDocumentTitle(isHidden ? texts.notAllowedTitle : title);
  const section = useContext(SectionContext);
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
  }, []);
  return (
    <DialogRoom isHidden={isHidden}>
      <main className="page" hidden={isHidden} {...(!isHidden && { id: 'content' })}>
        {section !== undefined && (
          <Link className="way-back" href={addressOf(section)}>
            {section.label}
          </Link>
        )}
        <div className="page-head">
          <h1 ref={heading} tabIndex={-1}>
            <OutsideText text={title} />
          </h1>
          {actions}
        </div>
        {children}
      </main>
    </DialogRoom>
  );
}

/** Focuses the title of the page if nothing has the focus, after dialogs that close have returned it. */
export function focusTitleIfLost(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
    }),
  );
}

/** Why a page cannot show what its address names: in one sentence if it does not exist, which `unknown` says. */
export function ReadFailure(props: {
  readonly error: Error | null;
  /** Whether it was read before. */
  readonly isRead: boolean;
  readonly unknown: string;
}) {
  const { isRead, unknown } = props;
  const error = useLastFailure(props.error, `${unknown} ${isRead}`);
  if (isRead || !isUnknown(error)) return <Failure error={error} isRead={isRead} />;
  return (
    <p className="failure" role="alert">
      <OutsideText text={unknown} />
    </p>
  );
}

/** What went wrong, until it works. `isRead`: of what was read before, the page says in one place that it is old. */
export function Failure({ error, isRead }: { readonly error: Error | null; readonly isRead?: boolean | undefined }) {
  return (
    error !== null &&
    !isOld(error, isRead) && (
      <p className="failure" role="alert">
        <OutsideText text={error.message} />
      </p>
    )
  );
}
