import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { settingsSchema } from '@waybill/contracts/endpoints/administration/resource';
import { explainSettingIssue } from '@waybill/contracts/errors/explain-issue';
import { placeOf } from '@waybill/contracts/errors/place-of';
import { type RefObject, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Button, Menu, MenuItem, Popover, Text } from 'react-aria-components';
import { texts } from '../../texts/texts.ts';
import { FaultList } from '../text/field-errors.tsx';
import { type Fault, placesIn } from '../text/place-in-text.ts';
import { readSettings } from '../text/settings-text.ts';
import { cursorContext } from './cursor-context.ts';
import { type Suggestion, suggestSettings } from './suggest-settings.ts';
import { unknownParameters } from './unknown-parameters.ts';

const { configuration } = texts;

/** A longer text is checked by the server only. */
const checkedAtMost = 200_000;
const faultsAtMost = 20;

/** What helps with the settings of one kind of objects. */
export function SettingsAssist(props: {
  readonly resource: AdministeredResource;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly area: RefObject<HTMLTextAreaElement | null>;
  /** Whether something was typed: what is missing before that is no fault. */
  readonly isChanged: boolean;
  /** What the server has refused: it is said elsewhere. */
  readonly refused: readonly Fault[];
}) {
  const { resource, text, setText, area, isChanged, refused } = props;
  const schema = useMemo(() => settingsSchema(resource), [resource]);
  const isWorkflow = resource.collection === 'workflow-templates';
  const checked = useDeferredValue(text);
  const faults = useMemo((): readonly Fault[] => {
    if (checked.length > checkedAtMost) return [];
    const settings = readSettings(checked);
    if ('error' in settings) return [{ field: '', message: settings.error, ...settings.place }];
    const { error } = schema.safeParse(settings.value, { error: explainSettingIssue });
    const wrong = (error?.issues ?? []).map(({ path, message }) => ({ field: placeOf(path), message }));
    return isWorkflow ? [...wrong, ...unknownParameters(settings.value)] : wrong;
  }, [checked, schema, isWorkflow]);
  const refusedLines = new Set(placesIn(checked, refused));
  const left = faults.filter((fault) => placesIn(checked, [fault]).every((line) => !refusedLines.has(line)));
  const isSaid = faults.length === 0 || (isChanged && left.length > 0);
  return (
    <section className="assist" aria-label={configuration.check}>
      <p role="status">{isSaid && configuration.faults(left.length, isWorkflow)}</p>
      {isSaid && left.length > 0 && <FaultList text={checked} faults={left.slice(0, faultsAtMost)} area={area} />}
      <Suggestions {...{ schema, text, setText, area }} />
    </section>
  );
}

/** A list of what can be typed at the cursor, which a button opens. */
function Suggestions(props: {
  readonly schema: Parameters<typeof suggestSettings>[0];
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}) {
  const { schema, text, setText, area } = props;
  const [open, setOpen] = useState<{ readonly items: readonly Suggestion[]; readonly typed: string }>();
  const button = useRef<HTMLButtonElement>(null);
  const suggest = (): void => {
    const context = cursorContext(text, area.current?.selectionStart ?? text.length);
    setOpen({ items: context === undefined ? [] : suggestSettings(schema, context), typed: context?.typed ?? '' });
  };
  const insert = (chosen: string): void => {
    const field = area.current;
    if (field === null || open === undefined) return;
    const end = field.selectionStart;
    field.focus();
    field.setSelectionRange(end - open.typed.length, end);
    setText(text.slice(0, end - open.typed.length) + chosen + text.slice(end));
    setOpen(undefined);
    const cursor = end - open.typed.length + chosen.length;
    requestAnimationFrame(() => field.setSelectionRange(cursor, cursor));
  };
  return (
    <>
      <Button className="button small" ref={button} onPress={suggest}>
        {configuration.suggest}
      </Button>
      {open !== undefined && open.items.length === 0 && <p role="status">{configuration.noSuggestion}</p>}
      {open !== undefined && open.items.length > 0 && (
        <Choices items={open.items} {...{ button, insert }} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

/** A menu beside the button; Escape closes it. */
function Choices(props: {
  readonly items: readonly Suggestion[];
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly insert: (text: string) => void;
  readonly onClose: () => void;
}) {
  const { items, button, insert, onClose } = props;
  return (
    <Popover
      aria-label={configuration.suggestions}
      className="suggestions"
      triggerRef={button}
      isOpen
      onOpenChange={onClose}
    >
      <Menu
        aria-label={configuration.suggestions}
        autoFocus="first"
        items={items.map((item) => ({ ...item, id: item.text }))}
        onAction={(key) => insert(String(key))}
      >
        {({ id, description }) => (
          // Settings and what their schemas say of them are not part of the catalogue.
          <MenuItem id={id} textValue={id} translate="no">
            <Text slot="label">{id}</Text>
            {description !== '' && <Text slot="description">{description}</Text>}
          </MenuItem>
        )}
      </Menu>
    </Popover>
  );
}
