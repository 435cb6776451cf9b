import { number } from '../../texts/numbers.ts';
import { texts } from '../texts.ts';

const { kibi, mebi, gibi, tebi, pebi } = texts.byteUnits;
const units = [kibi, mebi, gibi, tebi, pebi] as const;

/** A number of bytes for people: `1,023 bytes`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return texts.bytes(bytes);
  const exponent = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  const value = bytes / 1_024 ** exponent;
  return `${number(value, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[exponent - 1]}`;
}
