import { formatExactTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../../texts/texts.ts';
import { canonicalJson, type Json, type JsonObject, membersOf } from '../proof/canonical-json.ts';

const { audit } = texts;

/** The members of a record that people read first. */
const first = [
  'auditMessage',
  'auditOperation',
  'auditCode',
  'dataoneUser',
  'entityType',
  'entityName',
  'entityId',
  'dfiid',
  'clusterId',
  'nodeId',
] as const;

/** The values of a record, then those of its context, then what is there for the proof. */
export function RecordFacts({ record }: { readonly record: JsonObject }) {
  const shown = new Set<string>([...first, 'auditTime', 'context']);
  const others = Object.entries(record).filter(([name]) => !shown.has(name));
  return (
    <>
      <dl className="facts">
        <Fact name={audit.time} value={formatExactTime(textOf(record['auditTime']))} />
        {first.map((name) => (
          <Fact key={name} name={audit.fields[name]} value={textOf(record[name])} />
        ))}
      </dl>
      <section aria-label={audit.context}>
        <h2>{audit.context}</h2>
        <dl className="facts">
          {membersOf(record['context']).map(([name, value]) => (
            <Fact key={name} name={name} value={textOf(value)} />
          ))}
        </dl>
      </section>
      <details>
        <summary>{audit.hashed}</summary>
        <dl className="facts">
          {others.map(([name, value]) => (
            <Fact key={name} name={name} value={textOf(value)} />
          ))}
        </dl>
      </details>
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    value !== '' && (
      <div>
        <dt>
          <OutsideText text={name} />
        </dt>
        <dd>
          <OutsideText text={value} />
        </dd>
      </div>
    )
  );
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : canonicalJson(value);
}
