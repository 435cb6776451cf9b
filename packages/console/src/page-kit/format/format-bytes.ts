import { language } from '../messages/language.ts';

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** A number of bytes for people: `1,023 bytes`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const exponent = bytes < 1_024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 1_024 ** exponent;
  const unit = bytes === 1 ? 'byte' : units[exponent];
  return `${value.toLocaleString(language, { maximumFractionDigits: value < 10 && exponent > 0 ? 1 : 0 })} ${unit}`;
}
