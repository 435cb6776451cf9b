import { useId } from 'react';
import { TextInput } from '../../../page-kit/components/text-input.tsx';
import { usePermissions } from '../../api/permissions.ts';
import { texts } from '../../texts/texts.ts';

const { secrets, configuration } = texts;

/** The actor that a new secret belongs to at first: the first of those of a user whose role is limited to some. */
export function useFirstOwner(): string {
  return usePermissions().actorsOf('configuration:write')?.[0] ?? '';
}

/** The actor of a secret, or none; one of their own for users whose role is limited to some. */
export function OwnerField(props: { readonly value: string; readonly onChange: (actor: string) => void }) {
  const { value, onChange } = props;
  const id = useId();
  const own = usePermissions().actorsOf('configuration:write');
  if (own === undefined) return <TextInput label={secrets.actor} {...props} isRequired={false} />;
  return (
    <div className="filter-field">
      <label htmlFor={id}>{configuration.actor}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {own.map((actor) => (
          <option key={actor} value={actor}>
            {actor}
          </option>
        ))}
      </select>
    </div>
  );
}
