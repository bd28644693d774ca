import { known } from '@tradepost/solana';
import { declareVenue, isDirection } from '../shared/venue-swaps.ts';

/** Orca Whirlpool's swaps, as a signer sees them. */
export const orcaWhirlpool = declareVenue({
  program: known('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc'),
  steps: [
    {
      name: 'Orca Whirlpool, first token program',
      // sha256("global:swap"), as in every Anchor program.
      discriminator: [248, 198, 158, 145, 225, 117, 135, 200],
      dataBytes: 42,
      tag: 17,
      accounts: 11,
      moreAccounts: 0,
      // The last two bytes: the amount is the input's, and the direction, which alone the step repeats.
      fieldsOf: (data) => (data[40] === 1 && isDirection(data[41]) ? [data[41]] : null),
      fieldBytes: 1,
      isField: ([direction]) => isDirection(direction),
      owner: 1,
      ends: ([aToB]) => (aToB === 1 ? { source: 3, destination: 5 } : { source: 5, destination: 3 }),
    },
    {
      name: 'Orca Whirlpool swap_v2',
      // sha256("global:swap_v2")
      discriminator: [43, 4, 237, 11, 26, 201, 30, 98],
      dataBytes: 43,
      tag: 47,
      accounts: 15,
      moreAccounts: 0,
      // As above; then whether accounts of transfer hooks follow, which our pools never have.
      fieldsOf: (data) => (data[40] === 1 && isDirection(data[41]) && data[42] === 0 ? [data[41], 0] : null),
      fieldBytes: 2,
      isField: ([direction, hooks]) => isDirection(direction) && hooks === 0,
      owner: 3,
      ends: ([aToB]) => (aToB === 1 ? { source: 7, destination: 9 } : { source: 9, destination: 7 }),
    },
  ],
});
