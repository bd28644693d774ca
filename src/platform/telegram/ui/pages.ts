import { act, type Row } from './keyboard.ts';

/** Rows of a list that a phone shows with their buttons: the rest is on further pages. */
export const PAGE_ROWS = 5;

/** The width of a name in one of five buttons in a row at 390 pixels; see `fitted`. */
export const PICK_WIDTH = 3.9;

export type Page<T> = {
  readonly rows: readonly T[];
  /** From 0. */
  readonly page: number;
  readonly pages: number;
};

/** The page of a list that was asked for, or the last one where the list has become shorter. An empty list has one page. */
export function pageOf<T>(all: readonly T[], asked: number): Page<T> {
  const pages = Math.max(1, Math.ceil(all.length / PAGE_ROWS));
  const page = Math.min(pages - 1, Math.max(0, asked));
  return { rows: all.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS), page, pages };
}

/** `‹ 1/2 ›`; the one in the middle reads the page again. Null where one page holds everything. `feature` has the three taps. */
export function pageRow(
  { page, pages }: Pick<Page<unknown>, 'page' | 'pages'>,
  feature: string,
  stateId: string,
): Row | null {
  if (pages === 1) return null;
  return [
    act('‹', feature, 'previous', stateId),
    act(`${page + 1}/${pages}`, feature, 'here', stateId),
    act('›', feature, 'next', stateId),
  ];
}
