import { type Address, known, WSOL_MINT } from '@tradepost/solana';
import { declareVenue, NO_FIELDS } from '../shared/venue-swaps.ts';

/** The second form names its quote. For SOL it moves lamports, and the trader's account of wrapped SOL is named only. */
const isForSol = ([, , quoteMint]: readonly Address[]): boolean => quoteMint === WSOL_MINT;
const COIN_AT = 14;
const QUOTE_AT = 15;

/** The form of pump.fun's swaps, for the signer. */
export const pumpFun = declareVenue({
  program: known('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'),
  alone: [
    // pump.fun buy_exact_sol_in. The last byte counts the purchase towards the trader's volume.
    {
      discriminator: [56, 252, 116, 8, 158, 223, 205, 95],
      dataBytes: 25,
      accounts: 18,
      fieldsOf: NO_FIELDS,
      owner: 6,
      ends: () => ({ source: 'lamports', destination: 5 }),
    },
    // pump.fun sell.
    {
      discriminator: [51, 230, 133, 164, 1, 127, 131, 173],
      dataBytes: 24,
      accounts: 16,
      fieldsOf: NO_FIELDS,
      owner: 6,
      ends: () => ({ source: 5, destination: 'lamports' }),
    },
    // pump.fun buy_exact_quote_in_v2.
    {
      discriminator: [194, 171, 28, 70, 104, 77, 91, 47],
      dataBytes: 24,
      accounts: 27,
      fieldsOf: NO_FIELDS,
      owner: 13,
      ends: (_, accounts) =>
        isForSol(accounts)
          ? { source: 'lamports', destination: COIN_AT, idle: QUOTE_AT }
          : { source: QUOTE_AT, destination: COIN_AT },
    },
    // pump.fun sell_v2.
    {
      discriminator: [93, 246, 130, 60, 231, 233, 64, 178],
      dataBytes: 24,
      accounts: 26,
      fieldsOf: NO_FIELDS,
      owner: 13,
      ends: (_, accounts) =>
        isForSol(accounts)
          ? { source: COIN_AT, destination: 'lamports', idle: QUOTE_AT }
          : { source: COIN_AT, destination: QUOTE_AT },
    },
  ],
});
