import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { ReceivableFee } from '../../engine/fees/use/platform-fee.ts';
import type { LaunchParams } from '../../engine/intents/kinds/launch/params.ts';
import type { Rehearse } from '../../engine/transactions/use/rehearse-plan.ts';
import type { Spending } from '../guard/index.ts';
import { token } from './api/token.ts';
import { createTokenFeature } from './chat/index.ts';
import { revokeFeature } from './chat/revoke.ts';
import { type ConfirmMintInput, confirmCreateToken, confirmRevokeAuthority } from './use/confirm-mint.ts';
import { finishToken } from './use/finish-token.ts';
import { createMetadataWay } from './use/metadata-way.ts';
import { quoteCreateToken } from './use/quote-create-token.ts';
import { quoteRevokeAuthority } from './use/quote-revoke-authority.ts';
import { settleDocuments } from './use/settle-documents.ts';

/** New tokens, and the powers over them that their creators give up. */
export function createMint(
  world: World,
  {
    spending,
    receivableFee,
    rehearse,
  }: { readonly spending: Spending; readonly receivableFee: ReceivableFee; readonly rehearse: Rehearse },
) {
  const { db, chain, programs, metadata, clock, fees } = world;
  const creation = {
    ...world,
    treasury: world.treasury.address,
    receivableFee,
    rehearse,
    metadataWay: createMetadataWay({ chain, clock }),
    createFeeLamports: () => fees(clock.now()).createLamports,
  };
  const confirming = spending.confirmingFor('create');
  return {
    /** For the plans of its kinds of intent. */
    plans: creation,
    /** The first transaction of a launch, which makes its token. */
    confirmLaunch: (input: ConfirmMintInput<LaunchParams>) =>
      confirmCreateToken(spending.confirmingFor('launch'), input),
    verbs: {
      quoteCreateToken: bind(quoteCreateToken, creation),
      confirmCreateToken: bind(confirmCreateToken, confirming),
      finishToken: bind(finishToken, confirming),
      quoteRevokeAuthority: bind(quoteRevokeAuthority, { db, chain, programs }),
      confirmRevokeAuthority: bind(confirmRevokeAuthority, confirming),
    },
    settleDocuments: () => settleDocuments({ metadata, chain, programs, clock }),
  };
}

/** The parts that it plugs in. */
export const mintModule = {
  name: 'mint',
  features: [createTokenFeature, revokeFeature],
  routes: [token],
} satisfies Module;
