import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';

/** Sentences under a heading; nothing if there are none. */
export function TextList({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  return (
    texts.length > 0 && (
      <>
        <h3>{title}</h3>
        <ul>
          {texts.map((text) => (
            <li key={text}>
              <OutsideText text={text} />
            </li>
          ))}
        </ul>
      </>
    )
  );
}
