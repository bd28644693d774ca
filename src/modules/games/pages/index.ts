import { isDatabaseDown } from '../../../core/errors/database-down.ts';
import { type Page, pageOf, sorry } from '../../../platform/http/site/page.ts';
import { ROUND_CSP, roundPage } from './html.ts';

/** Once settled a round never changes; before, the next look may show more. */
const SETTLED_SECONDS = 3_600;
const TITLE = 'Was this round fair?';

/** `/games/<round>`: commitment, seed and choice of a round, checked by the reader's browser. */
export const gamePages: Page = {
  path: '/games/:name',
  handle: async (deps, { name }) => {
    if (!/^[0-9A-Z]{26}$/.test(name)) {
      return sorry(deps, 400, 'Not a round', 'Expected the 26 letters and digits that name a round.');
    }
    try {
      const round = await deps.round(name);
      if (round === null) return sorry(deps, 404, 'No such round', 'No round has this name here.');
      const page = pageOf(
        deps.frame,
        {
          title: TITLE,
          place: null,
          body: roundPage(round),
          description: 'Commitment, seed and payout of a round, computed again by your own browser.',
        },
        { cacheSeconds: round.result === null ? 0 : SETTLED_SECONDS },
      );
      return { ...page, contentSecurityPolicy: ROUND_CSP };
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
      return sorry(deps, 503, 'Not now', 'The round could not be read just now. Please try again.');
    }
  },
};
