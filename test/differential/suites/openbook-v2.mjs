import { openbookV2 } from '../../../packages/venues/src/openbook-v2/index.ts';
import { ASKS, BIDS, buildMarket } from '../../../packages/venues/test/openbook-v2/build.ts';
import { poolOf, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { compare } from '../compare.mjs';

const NOW = 1_790_000_000n;
const MILLION = 1_000_000n;
/** What our quote looks at; the vendor's book has no end. */
const MAX_ORDERS = 8;

/** The vendor decodes market and book and sorts the orders; it has no quote, so the walk over its orders stands here. */
export async function runSuite({ sdk, seed, states }) {
  const openbook = sdk('@openbook-dex/openbook-v2');
  const { AnchorProvider, BN, Wallet } = sdk('@coral-xyz/anchor');
  const { Connection, Keypair, PublicKey } = sdk('@solana/web3.js');
  const provider = new AnchorProvider(
    new Connection('http://127.0.0.1:1'),
    new Wallet(Keypair.generate()),
    {},
  );
  const client = new openbook.OpenBookV2Client(provider);
  const key = (value) => new PublicKey(value);

  const make = (random) => {
    const middle = random.log(100n, 10n ** 9n);
    const lots = () => random.log(1n, 10n ** 6n);
    const side = (sign) => {
      let price = middle + sign;
      return Array.from({ length: random.int(1, 14) }, () => {
        if (random.chance(80)) price += sign * random.log(1n, middle / 50n + 1n);
        return {
          price: price > 0n ? price : 1n,
          lots: lots(),
          owner: testAddress(random.int(20, 25)),
          ...(random.chance(25) ? { timestamp: NOW - 100n, timeInForce: random.int(50, 150) } : {}),
        };
      });
    };
    // Placed in any order; those at one price keep their turn.
    const shuffled = (orders) =>
      orders
        .map((order) => [random.int(0, 1000), order])
        .sort(([a], [b]) => a - b)
        .map(([, order]) => order);
    const takerFee = random.pick([0n, 100n, 1_000n, 30_000n]);
    const baseLotSize = 10n ** random.between(0n, 6n);
    const quoteLotSize = 10n ** random.between(0n, 2n);
    const bids = shuffled(side(-1n));
    const asks = shuffled(side(1n));
    const isLive = ({ timeInForce }) => timeInForce === undefined || timeInForce > 100;
    if (![...bids, ...asks].some(isLive)) return make(random);
    const fixture = buildMarket({
      bids,
      asks,
      baseLotSize,
      quoteLotSize,
      takerFee,
      makerFee: random.pick([0n, 200n, -takerFee, -takerFee / 2n]),
    });
    const account = client.decodeMarket(Buffer.from(fixture.accounts.get(fixture.id).data));
    const market = new openbook.Market(client, key(fixture.id), account);
    const items = (address, sideUtils) => {
      const data = openbook.BookSide.decodeAccountfromBuffer(Buffer.from(fixture.accounts.get(address).data));
      const book = new openbook.BookSide(market, key(address), data, sideUtils);
      // The vendor lets an order live one second longer than the program.
      book.clusterTime = new BN((NOW + 1n).toString());
      const live = [...book.items()].filter((order) => !order.isExpired);
      return live.map((order) => ({
        price: BigInt(order.priceLots.toString()),
        lots: BigInt(order.sizeLots.toString()),
      }));
    };
    const books = [items(BIDS, openbook.SideUtils.Bid), items(ASKS, openbook.SideUtils.Ask)];
    const [baseLot, quoteLot] = [account.baseLotSize, account.quoteLotSize].map((n) => BigInt(n.toString()));
    const makerFee = BigInt(account.makerFee.toString());
    const rebate = makerFee < 0n ? -makerFee : 0n;
    return {
      pool: poolOf(openbookV2, fixture),
      note: { bids: books[0].length, asks: books[1].length },
      amount: (direction) => {
        const depth = books[direction]
          .slice(0, random.int(1, 9))
          .reduce(
            (sum, order) => sum + order.lots * (direction === 0 ? baseLot : order.price * quoteLot),
            0n,
          );
        const amount = (depth * random.between(1n, 1_000n)) / 1_000n;
        const whole = direction === 0 && random.chance(80) ? amount - (amount % baseLot) : amount;
        return whole > 0n ? whole : 1n;
      },
      vendor: (direction, amount) => {
        let [base, quote, paid] = [0n, 0n, 0n];
        const isSale = direction === 0;
        const seen = books[direction].slice(0, MAX_ORDERS);
        // All that a buyer may pay at the price, before what goes to makers.
        const budget = ((amount * MILLION) / (MILLION + rebate) / quoteLot) * quoteLot;
        const wanted = (price) => (isSale ? amount / baseLot - base : (budget - quote) / (price * quoteLot));
        for (const { price, lots } of seen) {
          const left = wanted(price);
          let taken = lots;
          if (left < lots) taken = left;
          base += taken;
          quote += taken * price * quoteLot;
          paid += (taken * price * quoteLot * rebate) / MILLION;
        }
        const ranOut = seen.length === 0 || wanted(seen.at(-1).price) > 0n;
        const spent = isSale ? base * baseLot : quote + paid;
        if (base === 0n || ranOut || (amount - spent) * 100n > amount) return 0n;
        return isSale ? quote - paid : base * baseLot;
      },
    };
  };
  return [await compare({ name: 'openbook-v2', against: 'BookSide.items', seed, states, make })];
}
