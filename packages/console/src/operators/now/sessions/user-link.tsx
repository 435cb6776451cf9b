import { usePermissions } from '../../api/permissions.ts';
import { OptionalLink } from '../../frame/optional-link.tsx';

/** The user of a session, who leads to the user's settings. */
export function UserLink({ userName }: { readonly userName: string }) {
  const isLink = usePermissions().may('configuration:read');
  return <OptionalLink href={`/configuration/users/${encodeURIComponent(userName)}`} isLink={isLink} text={userName} />;
}
