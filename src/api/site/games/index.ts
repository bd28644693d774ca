import { hasCode } from '../../../core/errors/app-error.ts';
import type { Page, PageAnswer } from '../page.ts';
import { noRoundPage, ROUND_CSP, roundPage } from './html.ts';

/** Once settled a round never changes; before, the next look may show more. */
const SETTLED_SECONDS = 3_600;

/** `/games/<round>`: commitment, seed and choice of a round, checked by the reader's browser. */
export const gamePages: Page = {
  folder: 'games',
  handle: async (deps, name) => {
    if (!/^[0-9A-Z]{26}$/.test(name)) {
      return answer(400, noRoundPage('Not a round', 'Expected the 26 letters and digits that name a round.'));
    }
    try {
      const round = await deps.round(name);
      return round === null
        ? answer(404, noRoundPage('No such round', 'No round has this name here.'))
        : answer(200, roundPage(round), round.result === null ? 0 : SETTLED_SECONDS);
    } catch (error) {
      if (!hasCode(error, 'DATABASE_UNREACHABLE')) throw error;
      return answer(503, noRoundPage('Not now', 'The round could not be read just now. Please try again.'));
    }
  },
};

function answer(status: PageAnswer['status'], body: string, cacheSeconds = 0): PageAnswer {
  return {
    status,
    type: 'text/html; charset=utf-8',
    body,
    contentSecurityPolicy: ROUND_CSP,
    cacheSeconds,
  };
}
