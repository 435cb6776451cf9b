import { type KeyboardEventHandler, type RefObject, useRef } from 'react';

/** Lines beyond this have no number: a text of that length is not edited by hand. */
const numberedAtMost = 5_000;

/** A text area for settings, with the numbers of its lines; those of `marks` are marked. */
export function CodeArea(props: {
  readonly id: string;
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly marks: readonly number[];
  readonly isInvalid: boolean;
  readonly onKeyDown?: KeyboardEventHandler<HTMLTextAreaElement>;
}) {
  const { id, area, text, onChange, marks, isInvalid, onKeyDown } = props;
  const numbers = useRef<HTMLDivElement>(null);
  const count = text.split('\n').length;
  const marked = new Set(marks);
  return (
    <div className="code-area">
      <div className="line-numbers" ref={numbers} aria-hidden="true">
        {Array.from({ length: Math.min(count, numberedAtMost) }, (_, index) => (
          <div key={index} className={marked.has(index + 1) ? 'marked' : ''}>
            {index + 1}
          </div>
        ))}
      </div>
      <textarea
        id={id}
        ref={area}
        value={text}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => {
          if (numbers.current !== null) numbers.current.scrollTop = currentTarget.scrollTop;
        }}
        rows={Math.min(30, Math.max(10, count + 1))}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isInvalid}
        aria-describedby={`${id}-hint`}
      />
    </div>
  );
}
