import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { lazy, type ReactNode, useId, useRef } from 'react';
import { LazyPart } from '../../../page-kit/components/failure.tsx';
import { UnsavedGuard } from '../../frame/unsaved-guard.tsx';
import { texts } from '../../texts/texts.ts';
import { Review } from '../changes/review.tsx';
import { CodeArea } from '../text/code-area.tsx';
import { FieldErrors } from '../text/field-errors.tsx';
import { placesIn } from '../text/place-in-text.ts';
import { DryRunPanel } from '../workflows/dry-run-panel.tsx';
import { EditorButtons } from './editor-buttons.tsx';
import { TextConflict } from './text-conflict.tsx';
import { useDraft } from './use-draft.ts';
import type { EditedVersion } from './version-conflict.tsx';

const { configuration } = texts;

/** It knows all schemas. */
const SettingsAssist = lazy(async () => ({ default: (await import('../assist/settings-assist.tsx')).SettingsAssist }));

/** What an editor of settings does. */
export interface EditorProps {
  readonly initial: unknown;
  /** The name of the button that saves. */
  readonly action: string;
  /** What saving would do. */
  readonly preview: (settings: unknown) => Promise<ChangePreview>;
  readonly save: (settings: unknown) => Promise<void>;
  readonly onCancel: () => void;
  /** Of an object that exists: what is edited, which somebody else may change meanwhile. */
  readonly version?: EditedVersion;
  /** What follows if somebody else has deleted it. */
  readonly deleted?: string;
  /** More fields, above the buttons. */
  readonly children?: ReactNode;
  /** The kind of object, whose settings are checked and completed as they are typed. */
  readonly resource: AdministeredResource;
}

/**
 * A text area with settings, in YAML or JSON. Before they are saved, the difference is shown. What the server refuses is shown
 * beside the text, and nothing is lost.
 */
export function ObjectEditor(props: EditorProps) {
  const { initial, action, preview, save, onCancel, version, deleted, children, resource } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft({ initial, preview, save, etag: version?.current?.etag });
  const { text, setText, refusal, reviewed } = draft;
  const faults = refusal?.faults ?? [];
  const refused = refusal && <FieldErrors {...refusal} {...{ text, area }} />;
  return (
    <>
      <UnsavedGuard isUnsaved={draft.isUnsaved} draft={draft.typed} />
      <form
        className="editor"
        onSubmit={(event) => {
          event.preventDefault();
          void (reviewed === undefined ? draft.review() : draft.confirm());
        }}
      >
        <label htmlFor={id}>{configuration.settings}</label>
        <CodeArea
          id={id}
          area={area}
          text={text}
          onChange={setText}
          marks={placesIn(text, faults)}
          isInvalid={refusal !== undefined}
        />
        <p className="quiet" id={`${id}-hint`}>
          {configuration.settingsHint}
        </p>
        <LazyPart isOptional>
          <SettingsAssist {...{ resource, text, setText, area }} isChanged={draft.isUnsaved} refused={faults} />
        </LazyPart>
        {refusal?.isOfTrial === false && refused}
        {version !== undefined && !draft.isSaving && (
          <TextConflict {...{ text, version, deleted, area }} onGoOn={draft.goOn} />
        )}
        {children}
        {reviewed !== undefined && <Review preview={reviewed} />}
        <EditorButtons {...{ action, onCancel, reviewed }} isBusy={draft.isBusy} />
      </form>
      {/* A form cannot be in another one. */}
      {resource.collection === 'workflow-templates' && (
        <DryRunPanel template={text} noteTrial={draft.noteTrial}>
          {refusal?.isOfTrial === true && refused}
        </DryRunPanel>
      )}
    </>
  );
}
