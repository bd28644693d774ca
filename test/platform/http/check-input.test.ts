import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withNulls, withoutAbsent } from '../../../src/platform/http/absent-nulls.ts';
import { buildSite, OPEN } from '../../api/build-site.ts';

const inner = z.strictObject({ note: z.string().optional(), must: z.string() });
const schema = z.strictObject({
  must: z.string(),
  may: z.enum(['a', 'b']).optional(),
  usual: z.number().prefault(5),
  deep: inner.optional(),
});

describe('null', () => {
  it('is the same as no field where a field may be left out, at every depth, and nowhere else', () => {
    expect(withoutAbsent(schema, { must: null, may: null, usual: null, deep: null, other: null })).toEqual({
      must: null,
      other: null,
    });
    expect(withoutAbsent(schema, { must: '', deep: { note: null, must: null } })).toEqual({
      must: '',
      deep: { must: null },
    });
  });

  it('stands in the schema of such a field', () => {
    const told = withNulls(z.toJSONSchema(schema, { io: 'input' }));
    expect(told).toMatchObject({
      properties: {
        must: { type: 'string' },
        may: { type: ['string', 'null'], enum: ['a', 'b', null] },
        usual: { type: ['number', 'null'] },
        deep: {
          type: ['object', 'null'],
          properties: { note: { type: ['string', 'null'] }, must: { type: 'string' } },
        },
      },
    });
  });
});

it('a thousand unknown fields are twenty and a count', async () => {
  const { app } = buildSite(OPEN);
  const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${at}`, 1]));
  const answer = await app.inject({ method: 'POST', url: '/dex/swap', payload: fields });
  const { error } = answer.json<{ error: { code: string; details: { code: string; message: string }[] } }>();
  expect(error.code).toBe('VALIDATION_FAILED');
  expect(error.details).toHaveLength(21);
  expect(error.details.at(-1)).toMatchObject({
    code: 'MORE',
    message: '984 more fields are not as expected',
  });
  await app.close();
});
