import { Link } from 'react-aria-components';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';

/** A name that leads to a page, if the user may see that. */
export function OptionalLink(props: { readonly href: string; readonly isLink: boolean; readonly text: string }) {
  const { href, isLink, text } = props;
  const shown = <OutsideText text={text} />;
  return isLink ? <Link href={href}>{shown}</Link> : shown;
}
