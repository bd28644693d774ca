import { WSOL_MINT } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { pumpFun } from '../../../../packages/venues/src/pump-fun/index.ts';
import { buildCurve, COIN } from '../../../../packages/venues/test/pump-fun/build.ts';
import { buildMint, poolOf, testAddress } from '../../../../packages/venues/test/shared/build.ts';
import { createLocalnet, fundTrader } from '../shared/exchange/localnet.ts';

const order = (mintIn: typeof COIN) => ({
  owner: testAddress(90),
  source: testAddress(91),
  destination: testAddress(92),
  mintIn,
  amountIn: 7n,
  amountOut: 6n,
  minOut: 5n,
  tokenAccountRent: 2_039_280n,
});

it('unwraps exactly what a purchase spends, and a sale unwraps nothing', () => {
  const chain = createLocalnet([]);
  const wrapped = fundTrader(chain, buildMint(WSOL_MINT, { decimals: 9 }), 5_000_000_000n);
  // A native account says so itself, and holds its amount in lamports beside its rent.
  const account = chain.get(wrapped)!;
  new DataView(account.data.buffer).setUint32(109, 1, true);
  new DataView(account.data.buffer).setBigUint64(113, 2_039_280n, true);
  chain.set(wrapped, { ...account, lamports: 5_002_039_280n });
  const pool = poolOf(pumpFun, buildCurve());
  const trade = { ...order(WSOL_MINT), owner: chain.trader, source: wrapped, amountIn: 1_234_567_890n };
  const unwrapping = pool.swap(trade).slice(0, -1);
  const before = chain.get(chain.trader)!.lamports;
  expect(chain.run(unwrapping)).toBeNull();
  // One signature is paid for; the rent of the account in between came back.
  expect(chain.get(chain.trader)!.lamports - before).toBe(1_234_567_890n - 5_000n);
  expect(chain.get(wrapped)!.lamports).toBe(5_002_039_280n - 1_234_567_890n);
  expect(pool.swap(order(COIN))).toHaveLength(1);
});
