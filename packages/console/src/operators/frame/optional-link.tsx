import { Link } from 'react-aria-components';

/** A name that leads to a page, if the user may see that. */
export function OptionalLink(props: { readonly href: string; readonly isLink: boolean; readonly text: string }) {
  const { href, isLink, text } = props;
  const shown = <bdi>{text}</bdi>;
  return isLink ? <Link href={href}>{shown}</Link> : shown;
}
