export const NETWORK_NAMES = ['2025', 'mainnet-2026-11'] as const;
export type NetworkName = (typeof NETWORK_NAMES)[number];

/** What a chain keeps for its whole life. The rest of a network may change between two starts. */
export type Calendar = {
  /** Slots from the open one to the newest final one. */
  readonly finalizedLag: number;
  /** Of so many slots in a row one has no block; null: each slot has one. */
  readonly oneSkippedIn: number | null;
};

export type Network = {
  readonly calendar: Calendar;
  readonly slotMs: number;
  /** Of a new chain. */
  readonly lamportsPerByte: bigint;
  readonly version1: boolean;
};

/** A chain of no named network: every slot has a block, finality is 32 slots away. */
export const PLAIN_CALENDAR: Calendar = { finalizedLag: 32, oneSkippedIn: null };

const NETWORKS: Readonly<Record<NetworkName, Network>> = {
  '2025': { calendar: PLAIN_CALENDAR, slotMs: 400, lamportsPerByte: 6_960n, version1: false },
  // Alpenglow: a confirmed block is final. Slots of 200 ms, 5 % without a block, the second fall of the rent.
  'mainnet-2026-11': {
    calendar: { finalizedLag: 1, oneSkippedIn: 20 },
    slotMs: 200,
    lamportsPerByte: 2_575n,
    version1: true,
  },
};

/** The facts of a network. */
export const networkOf = (name: NetworkName): Network => NETWORKS[name];
