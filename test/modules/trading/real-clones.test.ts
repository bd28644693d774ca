import { type Address, ROUTER_PROGRAM } from '@tradepost/solana';
import { accountView, type Exchange, type MintFacts } from '@tradepost/venues';
import { it } from 'vitest';
import { meteoraDlmm } from '../../../packages/venues/src/meteora-dlmm/index.ts';
import { DLMM_PROGRAM, PAIR, PAIR_AT } from '../../../packages/venues/src/meteora-dlmm/layout.ts';
import { orcaWhirlpool } from '../../../packages/venues/src/orca-whirlpool/index.ts';
import { POOL, POOL_AT, WHIRLPOOL_PROGRAM } from '../../../packages/venues/src/orca-whirlpool/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { decodeMint } from '../../../src/platform/chain/mint-layout.ts';
import {
  accountFromDirectory,
  accountsOfDirectory,
  createLocalnet,
  describeOnLocalnet,
} from '../../platform/venues/shared/exchange/localnet.ts';
import { cpmm, decoded, expectExact, IN, trading } from './real-market.ts';

/** Pools that the operator cloned, with the age and the slot at which their programs trade. */
type Clone = { readonly id: Address; readonly exchange: Exchange; readonly mints: readonly [number, number] };
const CLONES = accountsOfDirectory().flatMap((id): readonly Clone[] => {
  const account = accountFromDirectory(id);
  if (account?.owner === DLMM_PROGRAM && account.data.length === PAIR.minBytes) {
    return [{ id, exchange: meteoraDlmm, mints: [PAIR_AT.mintX, PAIR_AT.mintY] }];
  }
  if (account?.owner === WHIRLPOOL_PROGRAM && account.data.length === POOL.minBytes) {
    return [{ id, exchange: orcaWhirlpool, mints: [POOL_AT.mintA, POOL_AT.mintB] }];
  }
  return [];
});

describeOnLocalnet(
  'a route by the real router program over cloned pools',
  { programs: [RAYDIUM_CPMM_PROGRAM, DLMM_PROGRAM, WHIRLPOOL_PROGRAM, ROUTER_PROGRAM] },
  () => {
    const cases = CLONES.flatMap((clone) => {
      const { id, exchange } = clone;
      return [0, 1].map((direction) => [exchange.name, id, direction, clone] as const);
    });
    /** CPMM into either token of a cloned pool, then that pool. */
    const overClone = ({ id, exchange, mints: at }: Clone, direction: number, isFirst = false) => {
      const chain = createLocalnet([RAYDIUM_CPMM_PROGRAM, DLMM_PROGRAM, WHIRLPOOL_PROGRAM, ROUTER_PROGRAM]);
      for (const key of accountsOfDirectory()) {
        const account = accountFromDirectory(key);
        if (account !== null) chain.set(key, account);
      }
      chain.setUnixSeconds(1_790_000_000n);
      chain.svm.warpToSlot(900_000_000n);
      const view = accountView(chain.get(id)!.data);
      const facts = (mint: Address): MintFacts => ({ mint, ...decodeMint(mint, chain.get(mint)!)! });
      const [a, b] = [facts(view.address(at[0])), facts(view.address(at[1]))];
      const [intermediate, bought] = direction === 0 ? [a, b] : [b, a];
      chain.setMint(IN);
      const mints = isFirst ? ([intermediate, bought, IN] as const) : ([IN, intermediate, bought] as const);
      const other = isFirst
        ? cpmm(chain, [10n ** 10n, 10n ** 14n], 100, [bought, IN])
        : cpmm(chain, [10n ** 12n, 10n ** 10n], 100, [IN, intermediate]);
      const pools = [decoded(chain, ...other, mints), decoded(chain, exchange, { id }, mints)];
      return { pools, mints, desk: trading(chain, pools, mints) };
    };

    it.each(cases)(
      'CPMM, then %s %s, direction %i: brings the quote to the unit, and leaves no remainder',
      async (_name, _id, direction, clone) => {
        const { desk, mints } = overClone(clone, direction);
        await expectExact(desk, await worthwhile(desk), mints);
      },
    );

    it.each(cases)(
      '%s %s, direction %i, then CPMM: brings the quote to the unit, and leaves no remainder',
      async (_name, _id, direction, clone) => {
        const { desk, mints } = overClone(clone, direction, true);
        await expectExact(desk, await worthwhile(desk), mints);
      },
    );
  },
);

/** The first amount of which the router program sells more in the end: what else stays in the middle is worth a unit. */
async function worthwhile(desk: ReturnType<typeof trading>): Promise<bigint> {
  for (const amount of [1_000_001n, 10_000_001n, 100_000_001n, 1_000_000_007n, 30_000_000_001n]) {
    const [byProgram, separate] = [await priced(desk, amount, true), await priced(desk, amount, false)];
    if (byProgram !== null && separate !== null && byProgram.amountOut > separate.amountOut) return amount;
  }
  throw new Error('no amount goes through the router program');
}

/** Null for an amount of which nothing comes out. */
async function priced(desk: ReturnType<typeof trading>, amount: bigint, routerProgram: boolean) {
  try {
    return await desk.price(amount, routerProgram);
  } catch (error) {
    if (error instanceof AppError && error.code === 'AMOUNT_DUST') return null;
    throw error;
  }
}
