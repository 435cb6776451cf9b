import { useQuery } from '@tanstack/react-query';
import {
  type AccessExplanation,
  explainAccessEndpoint,
} from '@waybill/contracts/endpoints/administration/explain-access';
import { permissionSchema } from '@waybill/contracts/values/permission';
import { protocolSchema } from '@waybill/contracts/values/protocol';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { useFilters } from '../../address/use-filters.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Failure, PageFrame } from '../../frame/page-frame.tsx';
import { FilterChoice, FilterText } from '../../lists/filter-fields.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { wrongFieldsOf } from './access-question.ts';

const { configuration } = texts;
const filterNames = ['user', 'protocol', 'operation', 'path', 'address', 'server'] as const;

/** Why a user may do something, or not. The question is in the address. */
export function AccessPage() {
  const [{ user = '', path = '', address, server, ...choices }, change] = useFilters(filterNames);
  const protocol = protocolSchema.safeParse(choices.protocol).data ?? 'SFTP';
  const operation = permissionSchema.safeParse(choices.operation).data ?? 'download';
  const body = { user, protocol, operation, path, ...(address && { address }), ...(server && { server }) };
  const wrong = wrongFieldsOf(body);
  const { data, error } = useQuery({
    queryKey: ['access', body],
    queryFn: ({ signal }) => callEndpoint(explainAccessEndpoint, { body, signal }),
    // What is half typed would be refused, and audited.
    enabled: user !== '' && path !== '' && wrong.length === 0,
    retry: false,
  });
  return (
    <PageFrame title={configuration.accessTitle}>
      <section className="filters" aria-label={configuration.question}>
        <FilterText label={configuration.user} value={user} onChange={(value) => change({ user: value })} />
        <FilterChoice
          label={configuration.protocol}
          value={protocol}
          choices={protocolSchema.options.map((one) => [one, one] as const)}
          onChange={(value) => change({ protocol: value })}
        />
        <FilterChoice
          label={configuration.operation}
          value={operation}
          choices={permissionSchema.options.map((one) => [one, texts.permissionNames[one]] as const)}
          onChange={(value) => change({ operation: value })}
        />
        <FilterText label={configuration.path} value={path} onChange={(value) => change({ path: value })} />
        <FilterText
          label={configuration.address}
          value={address ?? ''}
          onChange={(value) => change({ address: value })}
        />
        <FilterText label={configuration.server} value={server ?? ''} onChange={(value) => change({ server: value })} />
        <p className="quiet whole-line">{configuration.accessHint}</p>
      </section>
      {wrong.length > 0 && <p role="status">{wrong.map((name) => configuration.wrongQuestion[name]).join(' ')}</p>}
      <Failure error={error} isRead={data !== undefined} />
      {data !== undefined && <Explanation {...data} />}
    </PageFrame>
  );
}

function Explanation({ allowed, rules }: AccessExplanation) {
  return (
    <>
      <p role="status">
        <strong className={allowed ? 'good' : 'failure'}>
          {allowed ? configuration.allowed : configuration.refusedAccess}
        </strong>
      </p>
      <SmallTable
        label={configuration.rules}
        rows={rules}
        empty=""
        keyOf={({ rule, name, why }) => `${rule} ${name} ${why}`}
        columns={[
          { title: configuration.rule, cell: ({ rule }) => rule },
          { title: configuration.name, cell: ({ name }) => <OutsideText text={name} /> },
          {
            title: configuration.decides,
            cell: ({ allows }) => (allows ? configuration.allows : configuration.refuses),
          },
          { title: configuration.why, cell: ({ why }) => <OutsideText text={why} /> },
        ]}
      />
    </>
  );
}
