/**
 * For whom a node is asked, the first served first: a person who waits, an order that watches a price, the tape of trades, and the upkeep
 * of known facts.
 */
export const CALL_RANKS = ['person', 'order', 'tape', 'upkeep'] as const;
export type CallRank = (typeof CALL_RANKS)[number];
