import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import { useState } from 'react';
import { readSettings, settingsText } from '../text/settings-text.ts';

/** A text that is being edited. */
export interface Draft {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isBusy: boolean;
  /** Whether leaving would lose something. */
  readonly isUnsaved: boolean;
  /** Why it could not be saved. */
  readonly failure: Error | undefined;
  /** What saving this text would do, once that was asked for. */
  readonly reviewed: ChangePreview | undefined;
  forgetFailure(): void;
  review(): Promise<void>;
  confirm(): Promise<void>;
}

/** A text that is being edited, whose changes are looked at before they are made. */
export function useDraft(about: {
  readonly initial: unknown;
  readonly preview: (settings: unknown) => Promise<ChangePreview>;
  readonly save: (settings: unknown) => Promise<void>;
}): Draft {
  const { initial, preview, save } = about;
  const [first] = useState(() => settingsText(initial));
  const [text, setText] = useState(first);
  const [isSaving, setSaving] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const [reviewed, setReviewed] = useState<ChangePreview>();
  const attempt = async (act: (settings: unknown) => Promise<void>): Promise<void> => {
    const settings = readSettings(text);
    if ('error' in settings) return setFailure(new Error(settings.error));
    setBusy(true);
    setFailure(undefined);
    try {
      await act(settings.value);
    } catch (error) {
      setReviewed(undefined);
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  };
  return {
    text,
    setText: (next) => {
      setReviewed(undefined);
      setText(next);
    },
    isBusy,
    // What is saved may lead to another page.
    isUnsaved: text !== first && !isSaving,
    failure,
    reviewed,
    review: () => attempt(async (settings) => setReviewed(await preview(settings))),
    forgetFailure: () => setFailure(undefined),
    confirm: async () => {
      setSaving(true);
      await attempt(save);
      setSaving(false);
    },
  };
}
