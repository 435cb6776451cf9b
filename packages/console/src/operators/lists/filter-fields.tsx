import { useEffect, useId, useRef, useState } from 'react';
import { fieldRange, localTime, utcTime } from './local-time.ts';

interface FilterFieldProps<T> {
  readonly label: string;
  readonly value: T;
  /** The empty text and undefined remove the filter. */
  readonly onChange: (value: string | undefined) => void;
}

/** See `FilterText`. */
export interface FilterTextProps extends FilterFieldProps<string> {
  /** Texts to choose from; another one can be typed as well. */
  readonly suggestions?: readonly string[];
  readonly onFocus?: () => void;
}

/** A text that is typed is applied this long after the last key. */
const typingPauseMs = 500;

/** A text to filter by. It is applied a moment after the last key, and at once with Enter, when it is emptied, or when the field is left. */
export function FilterText({ label, value, onChange, suggestions = [], onFocus }: FilterTextProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const applied = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // What was applied comes back as the value, perhaps after more keys.
    if (value !== applied.current) setTyped(value);
    applied.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (text: string): void => {
    clearTimeout(timer.current);
    if (text.trim() === applied.current) return;
    applied.current = text.trim();
    onChange(text.trim());
  };
  const type = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    if (text === '') apply(text);
    else timer.current = setTimeout(() => apply(text), typingPauseMs);
  };
  return (
    <div className="filter-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => type(target.value)}
        list={suggestions.length > 0 ? `${id}-list` : undefined}
        onFocus={onFocus}
        onBlur={() => apply(typed)}
        onKeyDown={(event) => event.key === 'Enter' && apply(typed)}
      />
      {suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </div>
  );
}

/** One of some values to filter by. A value of the address that is none of them is shown, too. */
export function FilterChoice({
  label,
  value,
  choices,
  onChange,
}: FilterFieldProps<string> & { readonly choices: readonly (readonly [value: string, label: string])[] }) {
  const id = useId();
  const shown = choices.some(([choice]) => choice === value) ? choices : [...choices, [value, value] as const];
  return (
    <div className="filter-field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {shown.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A point in time to filter by: local in the field, in UTC in the address. */
export function FilterTime({ label, value, onChange }: FilterFieldProps<string | undefined>) {
  const id = useId();
  return (
    <div className="filter-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        step={1}
        {...fieldRange}
        value={localTime(value)}
        onChange={({ target }) => onChange(utcTime(target.value))}
      />
    </div>
  );
}
