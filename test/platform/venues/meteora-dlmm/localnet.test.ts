import type { Address } from '@tradepost/solana';
import { accountView } from '@tradepost/venues';
import { expect, it } from 'vitest';
import { meteoraDlmm } from '../../../../packages/venues/src/meteora-dlmm/index.ts';
import { DLMM_PROGRAM, PAIR, PAIR_AT } from '../../../../packages/venues/src/meteora-dlmm/layout.ts';
import { address } from '../../../../src/core/address/address.ts';
import { decodeMint } from '../../../../src/platform/chain/mint-layout.ts';
import {
  accountFromDirectory,
  accountsOfDirectory,
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';

/** Any pairs will do: every LbPair among the operator's accounts is traded. */
const pairs = accountsOfDirectory().filter((key) => {
  const account = accountFromDirectory(key);
  return account?.owner === DLMM_PROGRAM && account.data.length === PAIR.minBytes;
});
const example = address('EtAdVRLFH22rjWh3mcUasKFF27WtHhsaCvK27tPFFWig');

describeOnLocalnet(
  'Meteora DLMM on the real program',
  { programs: [DLMM_PROGRAM], accounts: pairs.length > 0 ? pairs : [example] },
  () => {
    const open = (id: Address) => {
      const chain = createLocalnet([DLMM_PROGRAM]);
      for (const key of accountsOfDirectory()) {
        const account = accountFromDirectory(key);
        if (account !== null) chain.set(key, account);
      }
      const view = accountView(chain.get(id)?.data ?? new Uint8Array());
      chain.setUnixSeconds(view.i64(PAIR_AT.lastUpdateTimestamp) + 1_790_000_000n);
      chain.svm.warpToSlot(view.u64(PAIR_AT.activationPoint) + 500_000_000n);
      const facts = (mint: Address) => ({ mint, ...decodeMint(mint, chain.get(mint)!)! });
      const mints = [facts(view.address(PAIR_AT.mintX)), facts(view.address(PAIR_AT.mintY))] as const;
      return { chain, fixture: { id, mints } };
    };

    it.each(pairs)('pays what we quote: %s', (id) => {
      const { chain, fixture } = open(id);
      const view = accountView(chain.get(id)!.data);
      const held = (at: number) => accountView(chain.get(view.address(at))!.data).u64(64);
      const reserves = [held(PAIR_AT.reserveX), held(PAIR_AT.reserveY)] as const;
      const check = expectSwapsMatch(chain, meteoraDlmm, fixture, swapLadder(reserves, 40), {
        zeroMayTrade: true,
      });
      expect(check.filled).toBeGreaterThan(15);
    });
  },
);
