import type { Secret } from '@waybill/service-kit/config/secret';

/** Masks the secrets of a connection in texts of the other side, which knows them and may echo them. */
export interface Scrub {
  /** The whole text. */
  text(text: string): string;
  /** Its beginning, as one short line. */
  line(text: string): string;
}

const mask = '******';

/** Characters of a foreign text that are kept. */
const charactersAtMost = 300;

/**
 * Masks these secrets, also in Base64, as in an `Authorization` header, and in percent-encoding.
 */
export function createScrub(secrets: readonly (Secret | undefined)[]): Scrub {
  const forms = secrets
    .flatMap((secret) => (secret ? formsOf(secret.reveal()) : []))
    .toSorted((one, other) => other.length - one.length);
  const maskAll = (text: string): string => forms.reduce((rest, form) => rest.replaceAll(form, mask), text);
  return {
    text: maskAll,
    line: (text) => {
      const line = maskAll(text.slice(0, 64 * 1024)).replaceAll(/\p{Cc}+/gu, ' ');
      return line.slice(0, charactersAtMost).toWellFormed();
    },
  };
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  // In the middle of longer Base64, a value begins at one of three places of a group.
  const encoded = [0, 1, 2].map((skipped) => {
    const text = Buffer.concat([Buffer.alloc(skipped), bytes])
      .toString('base64')
      .replace(/=+$/u, '');
    const first = Math.ceil((skipped * 8) / 6);
    const last = Math.floor(((skipped + bytes.length) * 8) / 6);
    return text.slice(first, last);
  });
  const lines = value.split('\n').filter((line) => line.length >= 16);
  return [...new Set([value, encodeURIComponent(value), ...encoded, ...lines])].filter((form) => form.length >= 4);
}
