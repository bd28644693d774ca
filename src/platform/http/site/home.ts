import { isDatabaseDown } from '../../../core/errors/database-down.ts';
import type { TableFacts } from '../../../modules/tokens/pages/table.ts';
import { readChoices, type TableChoices, tableQuery } from '../../../modules/tokens/pages/table-query.ts';
import { ApiError } from '../errors/api-error.ts';
import { homeBody } from './home-html.ts';
import { type Page, type PageDeps, pageOf, sorry } from './page.ts';

const SECONDS = 1;

/** `/`: the purpose of this site, and its tokens, one row each. */
export const homePage: Page = {
  path: '/',
  handle: async (deps, { query }) => {
    const choices = readChoices(query);
    if ('problem' in choices) return sorry(deps, 400, 'Not a page of the table', choices.problem);
    try {
      return await page(deps, choices);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const sentence =
        'This link “More” belongs to another order of the table. Please begin at its first page.';
      return sorry(deps, 400, 'Not a page of the table', sentence);
    }
  },
};

async function page(deps: PageDeps, choices: TableChoices) {
  const { frame, clock } = deps;
  const facts = { ...(await readTable(deps, choices)), choices, now: clock.now() };
  return pageOf(
    frame,
    {
      title: 'Markets',
      place: 'markets',
      body: homeBody({ ...facts, frame, publicUrl: deps.publicUrl() }),
      runs: 'live',
    },
    { cacheSeconds: SECONDS },
  );
}

/** `away`: it cannot be read now, which is not the same as none. */
async function readTable(
  { tokens, tokenPictures }: PageDeps,
  choices: TableChoices,
): Promise<Pick<TableFacts, 'table' | 'sparks' | 'pictures'>> {
  try {
    const table = await tokens.table(tableQuery(choices));
    const rows = table?.rows ?? [];
    const [sparks, pictures] = await Promise.all([
      tokens.sparkLines(rows.map(({ market }) => market.market.id)),
      tokenPictures(rows.map(({ mint }) => mint)),
    ]);
    return { table, sparks, pictures };
  } catch (error) {
    if (!isDatabaseDown(error)) throw error;
    return { table: 'away', sparks: new Map(), pictures: new Map() };
  }
}
