import { texts } from '../texts.ts';

/** A name as it is, with its blanks at the beginning and the end, which are easily overlooked, as marks. */
export function ElementName({ name }: { readonly name: string }) {
  const [, before = '', middle = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(name) ?? [];
  if (before === '' && after === '') return <bdi>{name}</bdi>;
  return (
    <bdi>
      <Blanks count={before.length} />
      {middle}
      <Blanks count={after.length} />
    </bdi>
  );
}

function Blanks({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className="blanks" role="img" aria-label={texts.blanks(count)}>
      {'␣'.repeat(count)}
    </span>
  );
}
