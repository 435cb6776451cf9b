import { administeredParts } from '@waybill/contracts/endpoints/administration/part-table';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { Link } from 'react-aria-components';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { texts } from '../texts/texts.ts';
import { mayOn, titleOf } from './stored/collection.ts';

const { configuration, partners, secrets } = texts;

/** The kinds of objects that the user may read, and what can be done with the configuration as a whole. */
export function OverviewPage() {
  const permissions = usePermissions();
  const { may, mayForAll } = permissions;
  const others = [
    mayForAll('configuration:write') && (['/configuration-document', configuration.document] as const),
    mayForAll('identities:read') && (['/configuration-drift', configuration.drift] as const),
    may('configuration:read') && (['/access', configuration.accessTitle] as const),
    mayForAll('configuration:write') && (['/new-partner', partners.newTitle] as const),
    may('configuration:read') && (['/secrets', secrets.title] as const),
    may('configuration:read') && (['/expiries', secrets.expiries] as const),
  ].filter((link) => link !== false);
  const collections = administeredResources
    .filter((resource) => mayOn(permissions, resource, 'read'))
    .flatMap((resource) =>
      [resource, ...administeredParts.filter(({ of }) => of === resource.collection)].map(
        (kind) => [`/configuration/${kind.collection}`, titleOf(kind)] as const,
      ),
    );
  return (
    <PageFrame title={configuration.title}>
      <Links name={configuration.whole} links={others} />
      <Links name={configuration.objects} links={collections} />
    </PageFrame>
  );
}

function Links({
  name,
  links,
}: {
  readonly name: string;
  readonly links: readonly (readonly [href: string, label: string])[];
}) {
  return (
    links.length > 0 && (
      <nav aria-label={name}>
        <h2>{name}</h2>
        <ul className="services">
          {links.map(([href, label]) => (
            <li key={href}>
              <Link href={href}>{label}</Link>
            </li>
          ))}
        </ul>
      </nav>
    )
  );
}
