import type { Transformation } from '../../domain/workflows/computation.ts';
import { serveTransformation } from '../serve-transformation.ts';
import { convertRecords } from './convert-records.ts';
import { readCsvOrder } from './csv-order.ts';
import { validateRecords } from './validate-records.ts';

serveTransformation(begin);

function begin(
  parameters: Readonly<Record<string, string>>,
  input: AsyncIterable<Uint8Array>,
): Promise<Transformation> {
  const order = readCsvOrder(parameters);
  return Promise.resolve(order.do === 'validate' ? validateRecords(order, input) : convertRecords(order, input));
}
