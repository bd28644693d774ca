import {
  type Address,
  addressFromBytes,
  type Instruction,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import type { TradeTerms } from '../../../../src/engine/intents/rules/terms.ts';
import type { PlanBuilders, TransactionPlan } from '../../../../src/engine/transactions/use/plan.ts';
import type { Chain } from '../../../../src/platform/ports/chain.ts';
import type { Programs } from '../../../../src/platform/ports/programs.ts';
import { TREASURY, VENUE } from '../plans.ts';

/** The maker of every trade, and where its tokens lie. Lamports of trades lie at the venue. */
export const MAKER: Address = addressFromBytes(new Uint8Array(32).fill(93));
export const MAKER_TOKENS: Address = addressFromBytes(new Uint8Array(32).fill(94));
/** Rent of a token account, as the signer reads it. */
const RENT = 2_039_280n;
const SIGNATURE = new Uint8Array(64).fill(1);

/** One key holds the tokens that a maker's vault gets. */
const tokenProgram = TOKEN_PROGRAM;

/**
 * The plans of a run in which the real signer reads each message: trades are the two transfers of a desk, with wrapped SOL, and tokens move by
 * the token program. All other plans are the simulated ones, whose messages are real already.
 */
export function exactPlans(plans: PlanBuilders, chain: Chain, programs: Programs): PlanBuilders {
  const plan = (
    instructions: readonly Instruction[],
    more: Pick<TransactionPlan, 'terms' | 'coSign'> & { readonly lamports: bigint },
  ): TransactionPlan => ({
    instructions,
    tier: 'normal',
    units: null,
    terms: more.terms,
    expect: { maxLamportsOut: more.lamports, minLamportsIn: null, tokens: [] },
    coSign: more.coSign,
  });
  const own = (wallet: Address, mint: Address): Address =>
    programs.associatedTokenAddress(wallet, mint, tokenProgram);
  const moveToken = (
    owner: Address,
    mint: Address,
    amount: bigint,
    [source, destination]: readonly [Address, Address],
  ): Instruction =>
    programs.transferToken({ source, mint, destination, owner, amount, decimals: 0, tokenProgram });
  const pay = (from: Address, lamports: bigint): readonly Instruction[] =>
    lamports === 0n ? [] : [programs.transferSol({ from, to: TREASURY, lamports })];
  const coSign: TransactionPlan['coSign'] = async (_message, signers) =>
    new Map(signers.filter((signer) => signer === MAKER).map((signer) => [signer, SIGNATURE]));
  const wrapped = (wallet: Address, lamports: bigint) => {
    const { account, instructions } = programs.openWrappedSol({
      owner: wallet,
      seed: 'trade',
      lamports,
      rentLamports: RENT,
    });
    const close = programs.closeTokenAccount({ account, owner: wallet, tokenProgram });
    return { account, instructions, close };
  };

  const buy = (wallet: Address, mint: Address, lamportsIn: bigint, terms: TradeTerms): TransactionPlan => {
    const spent = lamportsIn - terms.platformFeeLamports;
    const wsol = wrapped(wallet, spent);
    return plan(
      [
        programs.createAssociatedTokenAccount({ payer: wallet, owner: wallet, mint, tokenProgram }),
        ...wsol.instructions,
        moveToken(wallet, WSOL_MINT, spent, [wsol.account, VENUE]),
        moveToken(MAKER, mint, terms.quotedOut, [MAKER_TOKENS, own(wallet, mint)]),
        wsol.close,
        ...pay(wallet, terms.platformFeeLamports),
      ],
      { terms, coSign, lamports: lamportsIn },
    );
  };
  const sell = (wallet: Address, mint: Address, units: bigint, terms: TradeTerms): TransactionPlan => {
    const wsol = wrapped(wallet, 0n);
    return plan(
      [
        ...wsol.instructions,
        moveToken(wallet, mint, units, [own(wallet, mint), MAKER_TOKENS]),
        moveToken(MAKER, WSOL_MINT, terms.quotedOut + terms.platformFeeLamports, [VENUE, wsol.account]),
        wsol.close,
        ...pay(wallet, terms.platformFeeLamports),
      ],
      { terms, coSign, lamports: 0n },
    );
  };
  return {
    ...plans,
    buy: async ({ params }, wallet) => {
      await chain.accounts([wallet.address]);
      return buy(wallet.address, params.mint, params.lamportsIn, params.terms);
    },
    sell: async ({ params }, wallet) => {
      await chain.accounts([wallet.address]);
      return sell(wallet.address, params.mint, params.amountIn, params.terms);
    },
    'withdraw-token': async ({ params }, wallet) => {
      await chain.accounts([wallet.address]);
      const { mint, destination, amount } = params;
      return plan(
        [
          programs.createAssociatedTokenAccount({
            payer: wallet.address,
            owner: destination,
            mint,
            tokenProgram,
          }),
          moveToken(wallet.address, mint, amount, [own(wallet.address, mint), own(destination, mint)]),
        ],
        { terms: null, coSign: null, lamports: 0n },
      );
    },
  };
}
