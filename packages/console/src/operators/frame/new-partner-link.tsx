import { Link } from 'react-aria-components';
import { usePermissions } from '../api/permissions.ts';
import { texts } from '../texts/texts.ts';

/** Leads to the form that creates a partner with everything that it needs, if the user may do that. */
export function NewPartnerLink() {
  return (
    usePermissions().mayForAll('configuration:write') && <Link href="/new-partner">{texts.partners.newTitle}</Link>
  );
}
