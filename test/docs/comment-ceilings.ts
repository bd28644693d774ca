/** Most per 1,000 words of a folder's comments, and sentences that are too long. The numbers only fall; a folder at the goal has no row. */
export const CEILINGS: Readonly<
  Record<string, { readonly turning: number; readonly vague: number; readonly long: number }>
> = {};
