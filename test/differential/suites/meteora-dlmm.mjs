import { meteoraDlmm } from '../../../packages/venues/src/meteora-dlmm/index.ts';
import { buildDlmm } from '../../../packages/venues/test/meteora-dlmm/build.ts';
import { buildFacts, poolOf } from '../../../packages/venues/test/shared/build.ts';
import { camelCase } from '../anchor.mjs';
import { compare, orNull } from '../compare.mjs';

export async function runSuite({ sdk, seed, states }) {
  const DLMM = sdk('@meteora-ag/dlmm');
  const { BorshAccountsCoder } = sdk('@coral-xyz/anchor');
  const { PublicKey } = sdk('@solana/web3.js');
  const BN = sdk('bn.js');
  const coder = new BorshAccountsCoder(DLMM.IDL);
  const decode = (name, account) => camelCase(BN, coder.decode(name, Buffer.from(account.data)));
  const now = Number(buildFacts([]).unixSeconds) * 1000;

  const make = (random) => {
    const binStep = random.pick([1, 2, 5, 10, 20, 50, 100, 200, 400]);
    // Beyond this the price leaves 64 + 64 bits, or the arrays the pair's own bitmap.
    const furthest = Math.min(35_000, Math.floor(200_000 / binStep));
    const activeId = random.int(-furthest, furthest);
    const spread = random.int(1, 60);
    const size = random.log(100n, 10n ** 13n);
    const bins = [];
    for (let id = activeId - spread; id <= activeId + spread; id++) {
      if (random.chance(25)) continue;
      const amount = () => random.between(0n, size);
      bins.push([id, id >= activeId ? amount() : 0n, id <= activeId ? amount() : 0n]);
    }
    const fixture = buildDlmm({
      activeId,
      bins,
      binStep,
      orders: bins
        .filter(() => random.chance(20))
        .map(([id]) => [id, random.between(0n, size), random.between(0n, size), random.chance(50)]),
      functionType: random.int(0, 2),
      baseFactor: random.int(0, 40_000),
      variableFeeControl: random.chance(70) ? random.int(1, 200_000) : 0,
      volatility: {
        accumulator: random.int(0, 350_000),
        reference: random.int(0, 200_000),
        index: activeId + random.int(-40, 40),
      },
      idleSeconds: BigInt(random.pick([0, 5, 29, 30, 31, 300, 599, 600, 601, 100_000])),
      collectFeeMode: random.int(0, 1),
    });
    const accounts = [...fixture.accounts].filter(([key]) => key !== fixture.id);
    const mint = (facts) => ({ address: new PublicKey(facts.mint), tlvData: Buffer.alloc(0) });
    const self = {
      lbPair: decode('LbPair', fixture.accounts.get(fixture.id)),
      tokenX: { mint: mint(fixture.mints[0]) },
      tokenY: { mint: mint(fixture.mints[1]) },
      clock: { epoch: new BN(900) },
      binArrayBitmapExtension: null,
    };
    const binArrays = accounts.map(([key, account]) => {
      const array = decode('BinArray', account);
      const lower = Number(array.index) * 70;
      // The program writes a bin's price when it is first used; the vendor's function expects it there.
      array.bins.forEach((bin, offset) => {
        bin.price = DLMM.getQPriceFromId(new BN(lower + offset), new BN(self.lbPair.binStep));
      });
      return { publicKey: new PublicKey(key), account: array };
    });
    return {
      pool: poolOf(meteoraDlmm, fixture),
      note: { activeId, spread },
      amount: () => random.amount(size * BigInt(spread)),
      vendor: (direction, amount) => {
        const real = Date.now;
        Date.now = () => now;
        try {
          return orNull(
            () =>
              BigInt(
                DLMM.prototype.swapQuote
                  .call(self, new BN(amount.toString()), direction === 0, new BN(0), binArrays)
                  .outAmount.toString(),
              ),
            (error) => /nsufficient liquidity/.test(error.message),
          );
        } finally {
          Date.now = real;
        }
      },
    };
  };
  return [await compare({ name: 'meteora-dlmm', against: 'DLMM.swapQuote', seed, states, make })];
}
