/** A text that is shown as it is, to be read and copied, with the keyboard, too. */
export function TextNote({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <pre className="note" role="region" tabIndex={0} aria-label={name}>
      {text}
    </pre>
  );
}
