/** One step of a book: base units that change hands, and the quote units for them. */
export type BookLevel = { readonly base: bigint; readonly quote: bigint };

/** Both sides, the best price first. */
export type OrderBook = { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] };
