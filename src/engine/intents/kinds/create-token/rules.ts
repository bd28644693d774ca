import { creationCost, readCreation } from '../../../../modules/mint/rules/read-creation.ts';
import { showsCreation } from '../../rules/landed-sums.ts';
import type { KindRules } from '../kind.ts';
import type { CreateTokenParams } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const createToken: KindRules<CreateTokenParams> = {
  act: 'token-create',
  confirmedBy: 'tap',
  provedBy: 'first-half',
  stoppedBy: ['signing', 'trading', 'creation'],
  fee: 'creation',
  // The second half of a creation was counted with the first.
  spends: (params) => (params.prepared === undefined ? creationCost(params) : 0n),
  showsEffect: showsCreation,
  mintOf: ({ prepared }, bytes, treasury) => prepared?.mint ?? readCreation(bytes, treasury).mint,
  preparedOf: ({ prepared }) => prepared ?? null,
  // The rent of the holder's account comes back when that is closed; the cost of the first half is a part of the cost.
  tokenMoveOf: ({ prepared, holdingRentLamports }, receipt) => {
    const mint = receipt.createdMint ?? prepared?.mint;
    const earlier = (prepared?.rentLamports ?? 0n) + (prepared?.feeLamports ?? 0n);
    const flowLamports = receipt.walletLamportsDelta + holdingRentLamports - earlier;
    return mint === undefined ? null : { mint, as: 'creation', flowLamports };
  },
  retry,
  policy,
};
