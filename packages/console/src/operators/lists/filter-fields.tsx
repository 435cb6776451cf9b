import { useEffect, useId, useState } from 'react';

interface FilterFieldProps<T> {
  readonly label: string;
  readonly value: T;
  /** The empty text and undefined remove the filter. */
  readonly onChange: (value: string | undefined) => void;
}

/** A text to filter by, which is applied when the field is left, or with Enter. */
export function FilterText({ label, value, onChange }: FilterFieldProps<string>) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const apply = (): void => {
    if (typed.trim() !== value) onChange(typed.trim());
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
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </div>
  );
}

/** One of some values to filter by. */
export function FilterChoice({
  label,
  value,
  choices,
  onChange,
}: FilterFieldProps<string> & { readonly choices: readonly (readonly [value: string, label: string])[] }) {
  const id = useId();
  return (
    <div className="filter-field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {choices.map(([choice, name]) => (
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
        value={localTime(value)}
        onChange={({ target }) => onChange(target.value === '' ? undefined : new Date(target.value).toISOString())}
      />
    </div>
  );
}

/** `2026-03-02T08:15` in the zone of the browser; empty if there is no such time. */
function localTime(value: string | undefined): string {
  const time = new Date(value ?? '');
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
