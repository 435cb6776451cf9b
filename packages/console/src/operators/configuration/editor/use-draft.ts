import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import { useState } from 'react';
import { RequestFailure } from '../../api/request-failure.ts';
import type { Fault } from '../text/place-in-text.ts';
import { readSettings, settingsText } from '../text/settings-text.ts';
import { faultsStillIn } from '../text/standing-faults.ts';

/** A text that is being edited. */
export interface Draft {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isBusy: boolean;
  readonly isSaving: boolean;
  /** Whether leaving would lose something. */
  readonly isUnsaved: boolean;
  /** The text if it is not that of the beginning, also while it is saved, which may be refused. */
  readonly typed: string | undefined;
  /** The newest refusal; undefined once the text has changed at each place that was refused. */
  readonly refusal: Refusal | undefined;
  /** Notes that the text is tried, or that a trial of a text was refused. */
  readonly noteTrial: (refused?: { readonly failure: Error; readonly text: string }) => void;
  /** What saving this text would do, once that was asked for. */
  readonly reviewed: ChangePreview | undefined;
  /** Goes on with a text for another version, as if nothing of it had been refused. */
  readonly goOn: (text: string) => void;
  review(): Promise<void>;
  confirm(): Promise<void>;
}

/** Why a text was refused, which the newest check of it says. */
interface Refusal {
  readonly failure: Error;
  /** What is still in the text. */
  readonly faults: readonly Fault[];
  /** Whether it was only tried, and not to be stored. */
  readonly isOfTrial: boolean;
}

/** What is edited, and what is done with it. */
interface DraftSource {
  readonly initial: unknown;
  readonly preview: (settings: unknown) => Promise<ChangePreview>;
  readonly save: (settings: unknown) => Promise<void>;
  /** What is stored: what saving would do to another version is another question. */
  readonly etag: string | undefined;
}

/** A text that is being edited, whose changes are looked at before they are made. */
export function useDraft({ initial, preview, save, etag }: DraftSource): Draft {
  const [first] = useState(() => settingsText(initial));
  const [text, setText] = useState(first);
  const [isSaving, setSaving] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<RefusedText>();
  const setFailure = (failure: Error | undefined): void => setRefused(failure && { failure, text, isOfTrial: false });
  const [reviewed, setReviewed] = useState<{ readonly preview: ChangePreview; readonly etag: string | undefined }>();
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
    isSaving,
    // What is saved may lead to another page.
    isUnsaved: text !== first && !isSaving,
    typed: text === first ? undefined : text,
    refusal: refused && stillRefused(refused, text),
    noteTrial: (trial) => setRefused(trial && { ...trial, isOfTrial: true }),
    reviewed: reviewed?.etag === etag ? reviewed?.preview : undefined,
    review: () => attempt(async (settings) => setReviewed({ preview: await preview(settings), etag })),
    goOn: (next) => {
      setFailure(undefined);
      setReviewed(undefined);
      setText(next);
    },
    confirm: async () => {
      setSaving(true);
      await attempt(save);
      setSaving(false);
    },
  };
}

interface RefusedText extends Omit<Refusal, 'faults'> {
  readonly text: string;
}

/** What is still to be said of a refusal, of an earlier text perhaps. A conflict of versions does not depend on the text. */
function stillRefused({ text: refused, ...refusal }: RefusedText, text: string): Refusal | undefined {
  const { failure } = refusal;
  const isConflict = failure instanceof RequestFailure && failure.code === 'precondition_failed';
  const faults = faultsStillIn(text, refused, failure instanceof RequestFailure ? failure.fields : []);
  return isConflict || text === refused || faults.length > 0 ? { ...refusal, faults } : undefined;
}
