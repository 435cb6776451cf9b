import { OutsideText } from '../outside-text/outside-text.tsx';
import { visibleText } from '../outside-text/visible-text.ts';
import { texts } from '../texts.ts';

/** Who is logged in. A narrow window shows the name alone, and screen readers read the same as elsewhere. */
export function LoggedInUser({ userName, className }: { readonly userName: string; readonly className: string }) {
  const name = visibleText(userName);
  return (
    <span className={`logged-in ${className}`} title={name} data-name={name}>
      <span>
        <OutsideText text={texts.loggedInAs(userName)} />
      </span>
    </span>
  );
}
