import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Each file that reads the units of a single token account, and why one account is what it needs. What a wallet holds of a mint is
 * `Chain.holding` alone: a file that is not here and decodes an account by itself shows a part of a holding as the whole.
 */
const ONE_ACCOUNT: Readonly<Record<string, string>> = {
  'platform/chain/holdings.ts': 'sums them',
  'platform/chain/owned-accounts.ts': 'whose an account is that a list left out',
  'platform/chain/transaction-source/held-by-vaults.ts': 'vaults of a market',
  'platform/venues/desk/index.ts': 'vaults of a pool',
  'platform/venues/desk/launchpad.ts': 'the vault of a curve',
  '../packages/venues/src/shared/pool-checks.ts': 'vaults of a pool',
  'engine/signing/rules/held-accounts.ts': 'the accounts that a message names',
  'modules/tokens/rules/closable-account.ts': 'the account that is closed',
  'modules/tokens/rules/recipient-account.ts': 'the account that a withdrawal goes to',
  'local/desk/cosign.ts': 'vaults of a pool',
  'local/desk/launches.ts': 'vaults of a pool',
  'platform/venues/desk/launch-feed.ts': 'the vault of a curve',
  'modules/trading/use/aggregator-quotes.ts': 'the accounts that a swap names',
  'modules/market/use/search-holders.ts': 'whose the largest accounts are',
  'modules/market/use/search-tokens.ts': 'the mint of a pasted account',
  'modules/market/use/token-profile.ts': 'whose the largest accounts are',
  'modules/market/use/vaults-now.ts': 'vaults of a market',
  'modules/positions/use/clean-up.ts': 'whose an account is, and whether it is frozen',
  'modules/positions/use/reconcile-wallet.ts': 'whose an account is',
  'modules/tokens/use/look-up-token.ts': 'the mint of a pasted account',
  'modules/trading/use/exit-check.ts': 'what a rehearsal left in an account',
  'modules/trading/use/find-sellable.ts': 'the account that a sale takes from',
  'modules/trading/use/intermediate-accounts.ts': 'the account that a hop goes through',
  'modules/trading/use/load-token.ts': 'the mint of a pasted account',
  'modules/trading/use/measure-swap.ts': 'what a rehearsal changed in an account',
  'modules/trading/use/pool-rehearsal.ts': 'what a rehearsal brought on the way to a pool',
  'modules/trading/use/own-wallet.ts': 'the account that a purchase goes to',
  'modules/trading/use/referrer-account.ts': 'the account that a fee goes to',
  'modules/trading/use/swap-state.ts': 'the account that a swap goes to',
  'modules/trading/rules/swap-parties.ts': 'the account that a swap’s output goes to',
  'modules/wallets/rules/agreed-funds.ts': 'each account of a holding, by the second node',
};

const ROOT = join(import.meta.dirname, '../../src');
const sources = ['.', '../packages/venues/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => join(folder, name)),
);
const calls = (name: string, what: RegExp): boolean => what.test(readFileSync(join(ROOT, name), 'utf8'));

describe('the units of a token', () => {
  it('are read from a single account only where one account is meant', () => {
    const found = sources.filter((name) => calls(name, /\b(?:unitsHeld|readTokenAccount)\(/));
    expect(found.toSorted()).toEqual(
      Object.keys(ONE_ACCOUNT)
        .filter((name) => found.includes(name))
        .toSorted(),
    );
  });

  it('of one mint are asked for as one holding, never searched for in the list of all', () => {
    const searching = sources.filter((name) => calls(name, /\.holdings\([^)]*\)\)?\s*\.(?:find|some)\(/));
    expect(searching).toEqual([]);
  });
});
