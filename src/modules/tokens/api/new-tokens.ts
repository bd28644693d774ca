import { z } from 'zod';
import { Answer } from '../../../platform/http/answer.ts';
import { cursorField, cursorInvalid, cursorText, readCursor } from '../../market/api/market-input.ts';
import { nextQuery } from '../../market/api/market-list.ts';
import { marketRoute } from '../../market/api/market-route.ts';
import { limitField } from './token-input.ts';
import { TOKEN_EXAMPLE, tokenOf, tokenRecord } from './token-records.ts';

const path = '/tokens/new';
const query = z.strictObject({ limit: limitField(100, 20), cursor: cursorField });
const newToken = tokenRecord.extend({
  bondedPercent: z.number().nullable().describe('of its curve sold, of a token that was launched here'),
  graduated: z.boolean().nullable(),
});

export const tokensNew = marketRoute<z.infer<typeof query>>({
  path,
  operationId: 'listNewTokens',
  summary: 'Tokens that this desk saw first a short while ago',
  description: 'The newest first: in a market that it follows, launched or made here.',
  input: { in: 'query', name: 'TokensNewRequest', schema: query },
  inputExample: { limit: '20' },
  output: {
    name: 'TokensNewResponse',
    schema: newToken.array(),
    example: [{ ...TOKEN_EXAMPLE, bondedPercent: 12.5, graduated: false }],
  },
  codes: { limit: 'LIMIT_INVALID', cursor: 'CURSOR_INVALID' },
  handle: async (deps, { limit, cursor }) => {
    const wanted = Number(limit);
    const before = cursor === undefined ? {} : { after: placeOf(cursor) };
    const tokens = await deps.tokens.newest({ ...before, limit: wanted + 1 });
    const shown = tokens.slice(0, wanted);
    const last = shown.at(-1);
    const next =
      tokens.length > wanted && last !== undefined
        ? cursorText('tokens', `${last.firstSeenAt} ${last.mint}`)
        : null;
    return new Answer({
      data: shown.map(
        (token): z.infer<typeof newToken> => ({
          ...tokenOf(token),
          bondedPercent: token.launch === null ? null : token.launch.soldBps / 100,
          graduated: token.launch?.graduated ?? null,
        }),
      ),
      maxAge: 5,
      headers: next === null ? {} : { link: `<${path}?${nextQuery({ limit }, next)}>; rel="next"` },
    });
  },
});

/** Where the page before ended. Throws CURSOR_INVALID. */
function placeOf(text: string): { readonly at: number; readonly mint: string } {
  const [, at, mint] = /^(\d{1,15}) (\w{32,44})$/.exec(readCursor('tokens', text)) ?? [];
  if (at === undefined || mint === undefined) throw cursorInvalid();
  return { at: Number(at), mint };
}
