import { expect, it } from 'vitest';
import { decodeMint } from '../../../../src/adapters/chain/mint-layout.ts';
import { orcaWhirlpool } from '../../../../src/adapters/venues/orca-whirlpool/index.ts';
import { POOL, POOL_AT, WHIRLPOOL_PROGRAM } from '../../../../src/adapters/venues/orca-whirlpool/layout.ts';
import { accountView } from '../../../../src/adapters/venues/shared/exchange/account-view.ts';
import { type Address, address } from '../../../../src/core/address/address.ts';
import {
  accountFromDirectory,
  accountsOfDirectory,
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';

const REWARDS_UPDATED_AT = 261;

/** Any pools will do: every Whirlpool among the operator's accounts is traded. */
const pools = accountsOfDirectory().filter((key) => {
  const account = accountFromDirectory(key);
  return account?.owner === WHIRLPOOL_PROGRAM && account.data.length === POOL.minBytes;
});
const example = address('HJPjoWUrhoZzkNfRpHuieeFk9WcZWjwy6PBjZ81ngndJ');

describeOnLocalnet(
  'Orca Whirlpool on the real program',
  { programs: [WHIRLPOOL_PROGRAM], accounts: pools.length > 0 ? pools : [example] },
  () => {
    it.each(pools)('pays what we quote: %s', (id) => {
      const chain = createLocalnet([WHIRLPOOL_PROGRAM]);
      for (const key of accountsOfDirectory()) {
        const account = accountFromDirectory(key);
        if (account !== null) chain.set(key, account);
      }
      const view = accountView(chain.get(id)!.data);
      chain.setUnixSeconds(view.i64(REWARDS_UPDATED_AT) + 60n);
      const facts = (mint: Address) => ({ mint, ...decodeMint(mint, chain.get(mint)!)! });
      const mints = [facts(view.address(POOL_AT.mintA)), facts(view.address(POOL_AT.mintB))] as const;
      const held = (at: number) => accountView(chain.get(view.address(at))!.data).u64(64);
      const reserves = [held(POOL_AT.vaultA) / 8n, held(POOL_AT.vaultB) / 8n] as const;
      const check = expectSwapsMatch(chain, orcaWhirlpool, { id, mints }, swapLadder(reserves, 40), {
        zeroMayTrade: true,
      });
      expect(check.filled).toBeGreaterThan(20);
    });
  },
);
