/** Parts that an incident may name, with their names for people: those that are measured, and those that people use. */
export const AFFECTED = {
  database: 'Database',
  queue: 'Queue of jobs',
  chain: 'Connection to the chain',
  signer: 'Signer',
  bot: 'Bot',
  indexer: 'Indexer',
  worker: 'Worker',
  trading: 'Trading',
  orders: 'Orders',
  deposits: 'Deposits',
  withdrawals: 'Withdrawals',
  payouts: 'Payouts of rewards',
  tokens: 'Making tokens',
  market: 'Market data',
  api: 'The API',
  mail: 'Mail',
} as const satisfies Readonly<Record<string, string>>;

export type Affected = keyof typeof AFFECTED;

export type IncidentNote = {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
};

export type Incident = {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly Affected[];
  /** Epoch milliseconds. */
  readonly openedAt: number;
  /** Null: it goes on. */
  readonly closedAt: number | null;
  /** Newest first. */
  readonly notes: readonly IncidentNote[];
};

export const TITLE_MAX = 120;
export const NOTE_MAX = 1_000;

export function isAffected(word: string): word is Affected {
  return Object.hasOwn(AFFECTED, word);
}
