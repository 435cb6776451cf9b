import { useQuery } from '@tanstack/react-query';
import { exportConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { type RefObject, useId } from 'react';
import { Button } from 'react-aria-components';
import { BusyButton } from '../../../page-kit/components/busy-button.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { texts } from '../../texts/texts.ts';
import { CodeArea } from '../text/code-area.tsx';
import { type Fault, placesIn } from '../text/place-in-text.ts';

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
  /** Called with what is typed. */
  readonly onChange: (given: GivenDocument) => void;
  /** Called with what is read from the platform or a file. */
  readonly onLoad: (given: GivenDocument) => void;
  readonly onPlan: () => void;
  readonly faults: readonly Fault[];
  readonly area: RefObject<HTMLTextAreaElement | null>;
}) {
  const { given, isBusy, onChange, onLoad, onPlan, faults, area } = props;
  const id = useId();
  return (
    <form
      className="editor"
      onSubmit={(event) => {
        event.preventDefault();
        onPlan();
      }}
    >
      <StoredDocuments onLoad={onLoad} />
      <FileField onRead={(document) => onLoad({ ...given, document })} />
      <SourceField source={given.source} onChange={(source) => onChange({ ...given, source })} />
      <label htmlFor={id}>{configuration.documentText}</label>
      <CodeArea
        id={id}
        area={area}
        text={given.document}
        onChange={(document) => onChange({ ...given, document })}
        marks={placesIn(given.document, faults)}
        isInvalid={faults.length > 0}
      />
      <p className="quiet" id={`${id}-hint`}>
        {configuration.documentHint}
      </p>
      <div className="buttons">
        <BusyButton className="button primary" type="submit" isBusy={isBusy} isDisabled={given.document === ''}>
          {configuration.plan}
        </BusyButton>
      </div>
    </form>
  );
}

function SourceField(props: { readonly source: string; readonly onChange: (source: string) => void }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{configuration.documentSource}</label>
      <input
        id={id}
        aria-describedby={`${id}-hint`}
        value={props.source}
        autoComplete="off"
        onChange={({ target }) => props.onChange(target.value)}
      />
      <p className="quiet" id={`${id}-hint`}>
        {configuration.documentSourceHint}
      </p>
    </>
  );
}

function FileField({ onRead }: { readonly onRead: (document: string) => void }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{configuration.chooseFile}</label>
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
    // All documents are too much to be read again after each change of others.
    queryKey: ['exported configuration'],
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
