import { describe, expect, it } from 'vitest';
import { oldestReading } from './oldest-reading.ts';

const lost = new Error('lost');
const refused = new Error('refused');

function reading(state: { data?: unknown; error?: Error; dataUpdatedAt?: number }, isActive = true) {
  return { state: { data: 1, error: null, dataUpdatedAt: 0, ...state }, isActive: () => isActive };
}

function find(...queries: ReturnType<typeof reading>[]) {
  return oldestReading(queries, (error) => error === refused);
}

describe('the oldest reading that a page shows', () => {
  it('is that of the oldest that could not be read again, with its reason', () => {
    const found = find(
      reading({ dataUpdatedAt: 1 }),
      reading({ dataUpdatedAt: 30, error: new Error('later') }),
      reading({ dataUpdatedAt: 20, error: lost }),
      reading({ dataUpdatedAt: 40, error: lost }),
    );
    expect(found).toEqual({ readAtMs: 20, reason: 'lost' });
  });

  it.each([
    ['what was read again', reading({})],
    ['what was never read', reading({ data: undefined, error: lost })],
    ['what was refused', reading({ error: refused })],
    ['what the page does not show', reading({ error: lost }, false)],
  ])('is not %s', (_what, query) => {
    expect(find(query)).toBeUndefined();
  });

  it('can be empty, or of the time zero', () => {
    expect(find(reading({ data: null, error: lost }))).toEqual({ readAtMs: 0, reason: 'lost' });
  });
});
