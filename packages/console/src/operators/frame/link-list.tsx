import { Link } from 'react-aria-components';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';

/** Links to objects, whose names others have chosen. */
export function LinkList(props: {
  readonly label: string;
  readonly links: readonly { readonly href: string; readonly title: string }[];
}) {
  const { label, links } = props;
  return (
    <ul aria-label={label}>
      {links.map(({ href, title }) => (
        <li key={href}>
          <Link href={href}>
            <OutsideText text={title} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
