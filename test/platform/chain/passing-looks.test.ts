import { expect, it } from 'vitest';
import { buildMint, buildTokenAccount, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { createOwnedAccounts } from '../../../src/platform/chain/owned-accounts.ts';

const [OWNER, ACCOUNT] = [testAddress(1), testAddress(2)];

/** What an owner is known to have after one look found an account, where the node's list lacks it later. */
async function afterALook(passing: boolean): Promise<number> {
  const state = buildTokenAccount(buildMint(testAddress(3)), OWNER, 5n);
  let isListed = true;
  const owned = createOwnedAccounts(async (addresses) => addresses.map(() => state));
  const look = {
    list: async () => (isListed ? [{ address: ACCOUNT, program: state.owner, data: state.data }] : []),
    mayHave: async () => [],
  };
  await owned(OWNER, { ...look, passing });
  isListed = false;
  return (await owned(OWNER, look)).accounts.length;
}

it('a look for ourselves is remembered where a list lacks an account later, one for a stranger is not', async () => {
  expect(await afterALook(false)).toBe(1);
  expect(await afterALook(true)).toBe(0);
});
