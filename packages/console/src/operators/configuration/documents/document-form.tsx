import { useQuery } from '@tanstack/react-query';
import { exportConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { useId } from 'react';
import { Button } from 'react-aria-components';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { texts } from '../../texts/texts.ts';

const { configuration } = texts;

/** A document, and its source if it does not name it itself. */
export interface GivenDocument {
  readonly source: string;
  readonly document: string;
}

/** A document to plan: typed, of a file, or what is in force. */
export function DocumentForm(props: {
  readonly given: GivenDocument;
  readonly isBusy: boolean;
  readonly onChange: (given: GivenDocument) => void;
  readonly onPlan: () => void;
}) {
  const { given, isBusy, onChange, onPlan } = props;
  const id = useId();
  return (
    <form
      className="editor"
      onSubmit={(event) => {
        event.preventDefault();
        onPlan();
      }}
    >
      <StoredDocuments onLoad={onChange} />
      <FileField onRead={(document) => onChange({ ...given, document })} />
      <label htmlFor={`${id}-source`}>{configuration.source}</label>
      <input
        id={`${id}-source`}
        value={given.source}
        autoComplete="off"
        onChange={({ target }) => onChange({ ...given, source: target.value })}
      />
      <label htmlFor={id}>{configuration.documentText}</label>
      <textarea
        id={id}
        rows={16}
        value={given.document}
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange({ ...given, document: target.value })}
      />
      <p className="quiet" id={`${id}-hint`}>
        {configuration.documentHint}
      </p>
      <div className="buttons">
        <Button className="button primary" type="submit" isDisabled={isBusy || given.document === ''}>
          {configuration.plan}
        </Button>
      </div>
    </form>
  );
}

function FileField({ onRead }: { readonly onRead: (document: string) => void }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{configuration.file}</label>
      <input
        id={id}
        type="file"
        accept=".yaml,.yml,.json"
        onChange={({ target }) => void target.files?.[0]?.text().then(onRead)}
      />
    </>
  );
}

/** Buttons that load what is in force. */
function StoredDocuments({ onLoad }: { readonly onLoad: (given: GivenDocument) => void }) {
  const mayRead = usePermissions().mayForAll('identities:read');
  const { data } = useQuery({
    queryKey: ['configuration', 'export'],
    queryFn: ({ signal }) => callEndpoint(exportConfigurationEndpoint, { signal }),
    enabled: mayRead,
  });
  const documents = (data?.documents ?? []).filter(({ source }) => source !== null);
  return (
    documents.length > 0 && (
      <div className="buttons">
        {documents.map(({ source, document }) => (
          <Button key={source} className="button" onPress={() => onLoad({ source: source ?? '', document })}>
            {configuration.load(source)}
          </Button>
        ))}
        <span className="quiet">{configuration.loadHint}</span>
      </div>
    )
  );
}
