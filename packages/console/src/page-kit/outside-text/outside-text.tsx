import { texts } from '../texts.ts';
import { blankMarks, codeOf, type VisiblePart, visibleParts, visibleText } from './visible-text.ts';

/** A name or message that somebody else has chosen. */
export interface OutsideTextProps {
  readonly text: string | null | undefined;
  /** Default: false. The whole text is in the tip, where it may be cut off. */
  readonly hasTip?: boolean;
}

/**
 * Shows a text from outside. It does not move what is beside it, and characters in it that would not be seen, or that would
 * show it in another order, are marks: see `visibleParts`.
 */
export function OutsideText({ text, hasTip = false }: OutsideTextProps) {
  if (text === null || text === undefined) return null;
  return (
    <bdi {...(hasTip && { title: visibleText(text) })}>
      {visibleParts(text).map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </bdi>
  );
}

function Part({ part }: { readonly part: VisiblePart }) {
  if (typeof part === 'string') return part;
  const isBlank = part.kind === 'blanks';
  const code = isBlank ? '' : codeOf(part.character, part.count);
  return (
    <span
      className={isBlank ? 'blanks' : 'hidden-character'}
      role="img"
      aria-label={isBlank ? texts.blanks(part.count) : texts.hiddenCharacter(code)}
    >
      {isBlank ? blankMarks(part.count) : code}
    </span>
  );
}
