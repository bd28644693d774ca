import { maxBigint } from '@tradepost/solana';
import { readCreation } from '../../../../modules/mint/rules/read-creation.ts';
import { lamportsDelta, showsCreation, tradeFlow } from '../../rules/landed-sums.ts';
import type { KindRules } from '../kind.ts';
import type { LaunchParams } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const launch: KindRules<LaunchParams> = {
  act: 'launch',
  confirmedBy: 'tap',
  stoppedBy: ['signing', 'trading', 'launches'],
  fee: 'creation',
  spends: ({ firstBuy, costLamports, feeLamports }) =>
    (firstBuy?.lamports ?? 0n) + costLamports + feeLamports,
  showsEffect: showsCreation,
  mintOf: (_params, bytes, treasury) => readCreation(bytes, treasury).mint,
  // The cost of rent and the launchpad: all that left the wallet but the network's fee, the platform's, the tip and the first buy.
  creationRent: ({ landed, wallet, params }, platformFee) => {
    const tip = params.tip === undefined ? 0n : lamportsDelta(landed, params.tip.to);
    const spent = -lamportsDelta(landed, wallet) - landed.feeLamports - platformFee - tip;
    return maxBigint(0n, spent - (params.firstBuy?.lamports ?? 0n));
  },
  // A first buy is a purchase as any other.
  tokenMoveOf: (_params, receipt) =>
    receipt.createdMint === undefined
      ? null
      : { mint: receipt.createdMint, as: 'buy', flowLamports: tradeFlow(receipt) },
  retry,
  policy,
};
