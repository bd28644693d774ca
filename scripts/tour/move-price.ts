import type { RestTrader } from './rest-swap.ts';

const WSOL = 'So11111111111111111111111111111111111111112';
const SOL = 1_000_000_000n;
/** The probe that reads the price: too small to move it. */
const PROBE_LAMPORTS = SOL / 100n;
const FIRST_LAMPORTS = 5n * SOL;
/** A large trade goes over several pools, a small one to the pool that was left out: no step is so large that this tells much. */
const MOST_LAMPORTS = 10n * SOL;
/** A step aims a little short, so that it does not overshoot. */
const STEP_SHARE = 0.9;
const NEAR = 0.004;
const MOST_STEPS = 100;

/** Lamports per unit that a small purchase pays, before and after. */
export type Moved = { readonly from: number; readonly to: number; readonly trades: number };

/**
 * Buys or sells until a token costs `factor` times its price now, within half a percent, by real trades of `trader` over every pool there
 * is. Throws when it does not hold enough to go on: to let a price fall it must have bought before.
 */
export async function movePrice(trader: RestTrader, mint: string, factor: number): Promise<Moved> {
  const price = async (): Promise<number> =>
    Number(PROBE_LAMPORTS) / Number(await trader.quote(WSOL, mint, PROBE_LAMPORTS));
  const from = await price();
  const target = from * factor;
  let [now, trades, lamports] = [from, 0, Number(FIRST_LAMPORTS)];
  while (Math.abs(now / target - 1) > NEAR && now < target === factor > 1) {
    if (trades === MOST_STEPS)
      throw new Error(`the price is ${now / from} of what it was after ${trades} trades`);
    await tradeOnce(trader, mint, factor > 1, BigInt(Math.floor(lamports)), now);
    trades += 1;
    const after = await price();
    const moved = Math.abs(Math.log(after / now));
    const left = Math.abs(Math.log(target / after));
    lamports *= moved === 0 ? 1.5 : Math.min(1.5, Math.max(0.1, (STEP_SHARE * left) / moved));
    lamports = Math.min(lamports, Number(MOST_LAMPORTS));
    now = after;
  }
  return { from, to: now, trades };
}

async function tradeOnce(
  trader: RestTrader,
  mint: string,
  isBuying: boolean,
  lamports: bigint,
  price: number,
): Promise<void> {
  const slippageBps = 1_000;
  if (isBuying) {
    await trader.swap({
      fromTokenAddress: WSOL,
      toTokenAddress: mint,
      amount: String(lamports),
      slippageBps,
    });
    return;
  }
  const held = await trader.held(mint);
  if (held === 0n)
    throw new Error('nothing is left to sell: buy first, with --to above 1x, then let it fall');
  const units = BigInt(Math.floor(Number(lamports) / price));
  const amount = String(units < held ? units : held);
  await trader.swap({ fromTokenAddress: mint, toTokenAddress: WSOL, amount, slippageBps });
}
