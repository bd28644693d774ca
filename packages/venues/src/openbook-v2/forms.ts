import { OPENBOOK_V2_PROGRAM } from '@tradepost/solana';
import { declareVenue } from '../shared/venue-swaps.ts';

const IMMEDIATE_OR_CANCEL = 1;
const BID = 0;
const ASK = 1;

/** OpenBook v2's swaps, as a signer sees them. */
export const openbookV2 = declareVenue({
  program: OPENBOOK_V2_PROGRAM,
  alone: [
    // OpenBook v2 place_take_order: the other instructions leave funds or orders in the market.
    {
      discriminator: [3, 44, 71, 3, 26, 199, 203, 85],
      dataBytes: 35,
      accounts: 16,
      fieldsOf: (data) =>
        (data[8] === BID || data[8] === ASK) && data[33] === IMMEDIATE_OR_CANCEL ? [data[8]] : null,
      owner: 0,
      feePayer: 1,
      // A bid pays the quote token for the base token, an ask the other way.
      ends: ([side]) => (side === BID ? { source: 10, destination: 9 } : { source: 9, destination: 10 }),
      hidesAmounts: true,
    },
  ],
});
