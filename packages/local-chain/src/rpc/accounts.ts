import { accountFilter } from './account-filters.ts';
import { encodeAccount, encodeKeyed, encodingOf } from './encode-account.ts';
import type { Methods } from './method.ts';
import {
  addressParam,
  arrayParam,
  asAddress,
  configParam,
  integerParam,
  viewOf,
  withContext,
} from './params.ts';

const MAX_ACCOUNTS = 100;

export const accountMethods: Methods = {
  getAccountInfo: (params, { chain }) => {
    const address = addressParam(params, 0);
    const config = configParam(params, 1);
    encodingOf(config);
    const view = viewOf(chain, config);
    const state = view.account(address);
    return withContext(view.slot, state === null ? null : encodeAccount(state, config, view.account));
  },

  getMultipleAccounts: (params, { chain }) => {
    const addresses = arrayParam(params, 0, 'account addresses', MAX_ACCOUNTS).map((one) =>
      asAddress(one, 'each account must be given'),
    );
    const config = configParam(params, 1);
    encodingOf(config);
    const view = viewOf(chain, config);
    const states = addresses.map(view.account);
    return withContext(
      view.slot,
      states.map((state) => (state === null ? null : encodeAccount(state, config, view.account))),
    );
  },

  getBalance: (params, { chain }) => {
    const address = addressParam(params, 0);
    const view = viewOf(chain, configParam(params, 1));
    return withContext(view.slot, view.account(address)?.lamports ?? 0);
  },

  getProgramAccounts: (params, { chain }) => {
    const program = addressParam(params, 0, 'a program address');
    const config = configParam(params, 1);
    const matches = accountFilter(config);
    const view = viewOf(chain, config);
    const found = view
      .programAccounts(program)
      .filter(([, state]) => matches(state))
      .map(([address, state]) => encodeKeyed(address, state, config, view.account));
    return config['withContext'] === true ? withContext(view.slot, found) : found;
  },

  getMinimumBalanceForRentExemption: (params, { chain }) =>
    chain.svm.rentExemption(integerParam(params, 0, 'the data length in bytes')),
};
