import type { AccountState } from '../account-state.ts';
import type { Address } from '../address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { isTokenProgram, readMint, readTokenAccount, type TokenAccount } from '../token-account.ts';
import { encodeKeyed } from './encode-account.ts';
import type { Methods } from './method.ts';
import {
  addressParam,
  asAddress,
  configParam,
  isRecord,
  type Params,
  viewOf,
  withContext,
} from './params.ts';
import { invalidParams } from './rpc-error.ts';
import { uiAmount } from './ui-amount.ts';

const LARGEST_SHOWN = 20;

export const tokenMethods: Methods = {
  getTokenAccountBalance: (params, { chain }) => {
    const address = addressParam(params, 0, 'a token account address');
    const view = viewOf(chain, configParam(params, 1));
    const account = readTokenAccount(view.account(address));
    if (account === null) throw invalidParams('could not find account, or it is not a token account');
    const mint = readMint(view.account(account.mint));
    if (mint === null) throw invalidParams('the mint of the token account does not exist');
    return withContext(view.slot, uiAmount(account.amount, mint.decimals));
  },

  getTokenSupply: (params, { chain }) => {
    const address = addressParam(params, 0, 'a mint address');
    const view = viewOf(chain, configParam(params, 1));
    const mint = readMint(view.account(address));
    if (mint === null) throw invalidParams('not a Token mint');
    return withContext(view.slot, uiAmount(mint.supply, mint.decimals));
  },

  getTokenAccountsByOwner: (params, { chain }) => {
    const owner = addressParam(params, 0, 'the owner address');
    const wanted = tokenFilter(params);
    const config = configParam(params, 2);
    const view = viewOf(chain, config);
    const found = view.tokenAccounts(owner).filter(([, state]) => {
      const account = readTokenAccount(state);
      return account !== null && wanted(state, account);
    });
    return withContext(
      view.slot,
      found.map(([address, state]) => encodeKeyed(address, state, config, view.account)),
    );
  },

  getTokenAccountsByDelegate: (params, { chain }) => {
    const delegate = addressParam(params, 0, 'the delegate address');
    const wanted = tokenFilter(params);
    const config = configParam(params, 2);
    const view = viewOf(chain, config);
    const found = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].flatMap(view.programAccounts).filter(([, state]) => {
      const account = readTokenAccount(state);
      return account?.delegate === delegate && wanted(state, account);
    });
    return withContext(
      view.slot,
      found.map(([address, state]) => encodeKeyed(address, state, config, view.account)),
    );
  },

  getTokenLargestAccounts: (params, { chain }) => {
    const address = addressParam(params, 0, 'a mint address');
    const view = viewOf(chain, configParam(params, 1));
    const state = view.account(address);
    const mint = readMint(state);
    if (state === null || mint === null) throw invalidParams('not a Token mint');
    const holders: { address: Address; amount: bigint }[] = [];
    for (const [holder, held] of view.programAccounts(state.owner)) {
      const account = readTokenAccount(held);
      if (account?.mint === address) holders.push({ address: holder, amount: account.amount });
    }
    holders.sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0));
    return withContext(
      view.slot,
      holders
        .slice(0, LARGEST_SHOWN)
        .map((one) => ({ address: one.address, ...uiAmount(one.amount, mint.decimals) })),
    );
  },
};

function tokenFilter(params: Params): (state: AccountState, account: TokenAccount) => boolean {
  const filter = params[1];
  if (isRecord(filter) && filter['mint'] !== undefined) {
    const mint = asAddress(filter['mint'], '"mint" must be given');
    return (_, account) => account.mint === mint;
  }
  if (isRecord(filter) && filter['programId'] !== undefined) {
    const program = asAddress(filter['programId'], '"programId" must be given');
    if (!isTokenProgram(program)) throw invalidParams('"programId" must be SPL Token or Token-2022');
    return (state) => state.owner === program;
  }
  throw invalidParams('parameter 2 must be { mint } or { programId }');
}
