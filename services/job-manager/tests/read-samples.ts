import type { HttpClient } from '@waybill/test-kit/create-http-client';

/**
 * The samples of a metric on `/metrics`, by their labels as they are written there, such as `lane="inline"`; without the label
 * of the service.
 */
export async function readSamples(client: HttpClient, name: string): Promise<Record<string, number>> {
  const { text } = await client.get('/metrics');
  const samples = text.split('\n').flatMap((line) => {
    const [, found, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/u.exec(line) ?? [];
    if (found !== name) return [];
    const own = labels.split(/,(?=\w+=")/u).filter((label) => !label.startsWith('service='));
    return [[own.join(','), Number(value)]];
  });
  return Object.fromEntries(samples) as Record<string, number>;
}
