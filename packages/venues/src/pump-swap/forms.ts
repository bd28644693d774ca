import { known } from '@tradepost/solana';
import { declareVenue, NO_STEP_FIELDS } from '../shared/venue-swaps.ts';

/** PumpSwap's swaps, as a signer sees them. */
export const pumpSwap = declareVenue({
  program: known('pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA'),
  steps: [
    {
      name: 'PumpSwap buy_exact_quote_in',
      // sha256("global:buy_exact_quote_in")
      discriminator: [198, 46, 21, 82, 180, 217, 232, 112],
      dataBytes: 25,
      tag: 99,
      accounts: 23,
      // Where cashback is booked, the coin's second pool account, and two of who is paid.
      moreAccounts: 4,
      payer: true,
      // The account that counts all traders' volume.
      writableAt: 19,
      // The router leaves out whether the purchase counts towards the trader's volume. Cashback is booked all the same.
      ...NO_STEP_FIELDS,
      owner: 1,
      ends: () => ({ source: 6, destination: 5 }),
    },
    {
      name: 'PumpSwap sell',
      // sha256("global:sell")
      discriminator: [51, 230, 133, 164, 1, 127, 131, 173],
      dataBytes: 24,
      tag: 100,
      accounts: 21,
      // As above, and the trader's own count of volume where cashback is booked.
      moreAccounts: 5,
      payer: true,
      ...NO_STEP_FIELDS,
      owner: 1,
      ends: () => ({ source: 5, destination: 6 }),
    },
  ],
});
