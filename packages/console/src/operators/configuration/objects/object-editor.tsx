import { type ReactNode, useId, useState } from 'react';
import { Button } from 'react-aria-components';
import { RequestFailure } from '../../api/request-failure.ts';
import { texts } from '../../texts/texts.ts';
import { FieldErrors } from './field-errors.tsx';
import { readSettings, settingsText } from './settings-text.ts';

const { configuration } = texts;

/** A text area with settings, in YAML or JSON. What the server refuses is shown beside it, and nothing is lost. */
export function ObjectEditor(props: {
  readonly initial: unknown;
  readonly action: string;
  readonly save: (settings: unknown) => Promise<void>;
  readonly onCancel: () => void;
  /** Shown with a failure: what somebody else has stored meanwhile, for example. */
  readonly explain?: (failure: Error) => ReactNode;
}) {
  const { initial, action, save, onCancel, explain } = props;
  const id = useId();
  const { text, setText, isBusy, failure, submit } = useDraft(initial, save);
  return (
    <form
      className="editor"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label htmlFor={id}>{configuration.settings}</label>
      <textarea
        id={id}
        value={text}
        onChange={({ target }) => setText(target.value)}
        rows={Math.min(30, Math.max(10, text.split('\n').length + 1))}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={failure !== undefined}
        aria-describedby={`${id}-hint`}
      />
      <p className="quiet" id={`${id}-hint`}>
        {configuration.settingsHint}
      </p>
      {failure !== undefined && (
        <FieldErrors failure={failure} text={text} fields={failure instanceof RequestFailure ? failure.fields : []} />
      )}
      {failure !== undefined && explain?.(failure)}
      <div className="buttons">
        <Button className="button" onPress={onCancel}>
          {configuration.cancel}
        </Button>
        <Button className="button primary" type="submit" isDisabled={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** A text that is being edited, and why it could not be saved. */
function useDraft(initial: unknown, save: (settings: unknown) => Promise<void>) {
  const [text, setText] = useState(() => settingsText(initial));
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const submit = async (): Promise<void> => {
    const settings = readSettings(text);
    if ('error' in settings) return setFailure(new Error(settings.error));
    setBusy(true);
    setFailure(undefined);
    try {
      await save(settings.value);
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  };
  return { text, setText, isBusy, failure, submit };
}
