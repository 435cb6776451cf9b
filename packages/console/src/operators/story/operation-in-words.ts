import { texts } from '../texts/texts.ts';

/** The operation of a record in words; an unknown one as the record has it. */
export function operationInWords(operation: string): string {
  return Object.entries(texts.story.operations).find(([name]) => name === operation)?.[1] ?? operation;
}
