import {
  type Address,
  HOLDING_2022_BYTES,
  type Instruction,
  minBigint,
  mintSize,
  mulDivCeil,
  mulDivFloor,
  NO_SPEC_EXTENSIONS,
  readTokenAccount,
  TOKEN_2022_PROGRAM,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import {
  type LaunchNames,
  type LaunchOffer,
  type LaunchOrder,
  type Launchpad,
  rentOf,
} from '@tradepost/venues';
import { deskLaunchInstructions } from '../../../modules/launch/rules/desk-instructions.ts';
import { createTokenInstructions } from '../../../modules/mint/rules/instructions/create-token.ts';
import type { TokenSpec } from '../../../modules/mint/rules/token-spec.ts';
import type { Chain } from '../../ports/chain.ts';
import type { Programs } from '../../ports/programs.ts';
import { createDeskClient, type DeskLaunchTerms } from './desk-client.ts';
import { grossOut } from './quote.ts';

const DECIMALS = 6;
const SUPPLY = 1_000_000_000n * 10n ** BigInt(DECIMALS);

type LaunchDeps = {
  readonly chain: Pick<Chain, 'accounts' | 'rentExemption'>;
  readonly programs: Programs;
};

/**
 * Launches at the demonstration desk of the local chain: a Token-2022 token whose supply goes into a curve of the desk in the transaction
 * that makes it. A first buy keeps its tokens back and pays their price into the curve. So the launch needs no signature but the creator's
 * and the mint's.
 */
export function createDeskLaunchpad(deps: LaunchDeps & { readonly deskUrl: string }): Launchpad {
  const { chain } = deps;
  const client = createDeskClient(deps.deskUrl);
  return {
    name: 'desk',
    label: 'Desk Launch',
    program: null,
    limits: { nameBytes: 32, symbolBytes: 10, uriBytes: 200 },

    offer: async () => {
      const terms = await client.launchTerms();
      const firstBuy = (lamports: bigint): bigint => firstBuyTokens(terms, lamports);
      return {
        tokenProgram: TOKEN_2022_PROGRAM,
        decimals: DECIMALS,
        supply: SUPPLY,
        updateAuthority: false,
        graduationLamports: terms.graduationLamports,
        config: null,
        costLamports: (names, hasFirstBuy) =>
          rentOf(chain, [
            mintBytes(names),
            HOLDING_2022_BYTES,
            TOKEN_ACCOUNT_BYTES,
            // Opened in any case, and closed again when nothing stays in it.
            ...(hasFirstBuy ? [HOLDING_2022_BYTES] : []),
          ]),
        firstBuy,
        build: async (order) => {
          const bought = order.firstBuy === null ? 0n : firstBuy(order.firstBuy.lamports);
          return build(deps, order, bought, (await client.launch(order.mint)).maker);
        },
      } satisfies LaunchOffer;
    },

    progress: async ({ mint }) => {
      const [terms, pools] = await Promise.all([client.launchTerms(), client.pools()]);
      const pool = pools.find((one) => one.mintA === mint && one.kind === 'launch-curve');
      if (pool === undefined) return null;
      const { accounts } = await chain.accounts([pool.vaultB]);
      const [vault = null] = accounts;
      const raised = (vault === null ? null : readTokenAccount(vault))?.amount ?? 0n;
      const soldBps = Number(minBigint(10_000n, mulDivFloor(raised, 10_000n, terms.graduationLamports)));
      return { soldBps, graduated: raised >= terms.graduationLamports };
    },
  };
}

async function build(
  { chain, programs }: LaunchDeps,
  order: LaunchOrder,
  bought: bigint,
  maker: Address,
): Promise<readonly Instruction[]> {
  const { creator, mint, holding, uri } = order;
  return [
    ...createTokenInstructions({
      spec: specOf(order, creator),
      way: 'native',
      uri,
      creator,
      mint,
      holding,
      record: null,
      mintRentLamports: await chain.rentExemption(mintBytes(order)),
      fee: null,
    }),
    ...deskLaunchInstructions({
      creator,
      mint,
      tokenProgram: TOKEN_2022_PROGRAM,
      decimals: DECIMALS,
      holding,
      maker,
      vaultA: programs.associatedTokenAddress(maker, mint, TOKEN_2022_PROGRAM),
      vaultB: programs.associatedTokenAddress(maker, WSOL_MINT, TOKEN_PROGRAM),
      curveTokens: SUPPLY - bought,
      firstBuyLamports: order.firstBuy?.lamports ?? 0n,
    }),
  ];
}

/** The desk's output for it on the full curve: the same rule as for every later buy. */
function firstBuyTokens(terms: DeskLaunchTerms, lamports: bigint): bigint {
  if (lamports <= 0n) return 0n;
  const tokens = grossOut(
    {
      vaultIn: 0n,
      vaultOut: SUPPLY,
      virtualIn: terms.virtualLamports,
      virtualOut: mulDivFloor(SUPPLY, terms.virtualThousandths, 1_000n),
      feeBps: terms.feeBps,
      transferFeeIn: null,
      transferFeeOut: null,
      epoch: 0n,
    },
    lamports,
  );
  // All that a curve sells before it is complete; a single purchase of more would leave no price for others.
  return lamports > mulDivCeil(terms.graduationLamports, 12n, 10n) ? 0n : tokens;
}

function specOf({ name, symbol }: LaunchNames, mintTo: TokenSpec['mintTo']): TokenSpec {
  return {
    program: 'token2022',
    name,
    symbol,
    decimals: DECIMALS,
    supply: SUPPLY,
    mintTo,
    mintAuthority: false,
    freezeAuthority: false,
    updateAuthority: false,
    extensions: NO_SPEC_EXTENSIONS,
  };
}

function mintBytes(names: LaunchNames): number {
  // The recipient of the supply changes no size.
  return mintSize(specOf(names, WSOL_MINT), 'native', names.uri).total;
}
