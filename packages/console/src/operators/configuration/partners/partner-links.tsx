import { Link } from 'react-aria-components';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import type { SmallColumn } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';

const { partners, configuration } = texts;

/** Leads to the explanation of a question. */
export function ExplainLink(question: { readonly user: string; readonly path: string }) {
  return (
    <Link
      href={`/access?${new URLSearchParams({ ...question }).toString()}`}
      aria-label={partners.explainPath(question)}
    >
      {partners.explain}
    </Link>
  );
}

/** The name of an object, which leads to it. */
export function nameColumn(
  collection: string,
  actor: string,
): SmallColumn<{ readonly name: string; readonly source: string | null }> {
  return {
    title: configuration.name,
    cell: ({ name, source }) => (
      <>
        <Link
          href={`/configuration/${collection}/${encodeURIComponent(name)}?${new URLSearchParams({ actor }).toString()}`}
        >
          <OutsideText text={name} />
        </Link>{' '}
        {source !== null && <span className="quiet">{configuration.ownerOf(source)}</span>}
      </>
    ),
  };
}
