import { ROUTER_PROGRAM } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { DAMM_V2_PROGRAM } from '../../../packages/venues/src/meteora-damm-v2/layout.ts';
import { RAYDIUM_AMM_V4_PROGRAM } from '../../../packages/venues/src/raydium-amm-v4/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { describeOnLocalnet } from '../../platform/venues/shared/exchange/localnet.ts';
import {
  ammV4,
  cpmm,
  damm,
  expectExact,
  HELD,
  IN,
  INTERMEDIATE,
  OUT,
  type Setting,
  stage,
  TRIPLE,
} from './real-market.ts';

const AMOUNT = 30_000_000_000n;

describeOnLocalnet(
  'a route over real programs',
  { programs: [RAYDIUM_CPMM_PROGRAM, RAYDIUM_AMM_V4_PROGRAM, DAMM_V2_PROGRAM] },
  () => {
    it.each<[string, number, Setting]>([
      [
        'CPMM, then DAMM v2',
        2,
        (chain) => [cpmm(chain, [10n ** 12n, 10n ** 12n], 100), damm(chain, 10n ** 12n, 200)],
      ],
      [
        'CPMM, then AMM v4',
        2,
        (chain) => [
          cpmm(chain, [10n ** 12n, 3n * 10n ** 12n], 100),
          ammV4(chain, [10n ** 12n, 10n ** 11n], 200),
        ],
      ],
      [
        'two CPMM pools, then AMM v4 and DAMM v2',
        4,
        (chain) => [
          cpmm(chain, [10n ** 12n, 10n ** 12n], 100),
          cpmm(chain, [9n * 10n ** 11n, 9n * 10n ** 11n], 200),
          ammV4(chain, [8n * 10n ** 11n, 8n * 10n ** 11n], 300),
          damm(chain, 10n ** 12n, 400),
        ],
      ],
    ])(
      '%s: output, remainder and what is spent are the quote to the unit',
      async (_title, legCount, setting) => {
        const { price, run, held } = stage(setting);
        const priced = await price(AMOUNT, false);
        expect(priced.route.legs).toHaveLength(legCount);
        const [remainder] = priced.route.remainders;
        expect(remainder?.mint).toBe(INTERMEDIATE.mint);
        // Each minimum is enforced by its own program: the quote itself passes, one unit more of any leg does not.
        const quotes = priced.route.legs.map((leg) => leg.amountOut);
        for (const [index] of quotes.entries()) {
          const more = quotes.map((quote, at) => (at === index ? quote + 1n : quote));
          expect(await run(priced.route, more), `leg ${index}, one unit above its quote`).not.toBeNull();
        }
        const before = held(IN);
        expect(await run(priced.route, priced.minimums)).toBeNull();
        expect(before - held(IN)).toBe(priced.route.amountIn);
        expect(held(OUT)).toBe(priced.amountOut);
        expect(held(INTERMEDIATE) - HELD).toBe(remainder?.units);
      },
    );
  },
);

describeOnLocalnet(
  'a route by the real router program',
  { programs: [RAYDIUM_CPMM_PROGRAM, RAYDIUM_AMM_V4_PROGRAM, DAMM_V2_PROGRAM, ROUTER_PROGRAM] },
  () => {
    it.each<[string, number, Setting]>([
      [
        'CPMM, then DAMM v2',
        2,
        (chain) => [cpmm(chain, [10n ** 12n, 10n ** 12n], 100), damm(chain, 10n ** 12n, 200)],
      ],
      [
        'CPMM, then AMM v4',
        2,
        (chain) => [
          cpmm(chain, [10n ** 12n, 3n * 10n ** 12n], 100),
          ammV4(chain, [10n ** 12n, 10n ** 11n], 200),
        ],
      ],
      [
        'a split over two CPMM pools and its merge into DAMM v2',
        3,
        (chain) => [
          cpmm(chain, [10n ** 12n, 10n ** 12n], 100),
          cpmm(chain, [5n * 10n ** 11n, 5n * 10n ** 11n], 200),
          damm(chain, 10n ** 12n, 400),
        ],
      ],
      [
        'a split over two CPMM pools, then one over AMM v4 and DAMM v2',
        4,
        (chain) => [
          cpmm(chain, [10n ** 12n, 10n ** 12n], 100),
          cpmm(chain, [9n * 10n ** 11n, 9n * 10n ** 11n], 200),
          ammV4(chain, [8n * 10n ** 11n, 8n * 10n ** 11n], 300),
          damm(chain, 10n ** 12n, 400),
        ],
      ],
      [
        'a direct pool beside a way over the middle',
        3,
        (chain) => [
          cpmm(chain, [10n ** 12n, 10n ** 12n], 100, [IN, OUT]),
          cpmm(chain, [10n ** 12n, 10n ** 12n], 200),
          damm(chain, 10n ** 12n, 400),
        ],
      ],
    ])('%s: brings the quote to the unit, and leaves no remainder', async (_title, legCount, setting) => {
      for (const amount of [AMOUNT, 12_345_678_987n]) {
        const route = await expectExact(stage(setting, [ROUTER_PROGRAM]), amount, TRIPLE);
        expect(route.legs).toHaveLength(legCount);
      }
    });
  },
);
