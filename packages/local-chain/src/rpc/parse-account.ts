import type { AccountState } from '../account-state.ts';
import type { Address } from '../address.ts';
import { TOKEN_2022_PROGRAM } from '../programs.ts';
import { isTokenProgram, readExtensions, readMint, readTokenAccount } from '../token-account.ts';
import { parseExtension } from './parse-extension.ts';
import { uiAmount } from './ui-amount.ts';

export type ReadAccount = (address: Address) => AccountState | null;

/** The `jsonParsed` form of mints and token accounts, null for anything else. Source of truth: agave account-decoder. */
export function parseAccount(state: AccountState, read: ReadAccount): unknown {
  if (!isTokenProgram(state.owner)) return null;
  const parsed = parseTokenAccount(state, read) ?? parseMint(state);
  if (parsed === null) return null;
  const program = state.owner === TOKEN_2022_PROGRAM ? 'spl-token-2022' : 'spl-token';
  return { program, parsed, space: state.data.length };
}

function parseTokenAccount(state: AccountState, read: ReadAccount): unknown {
  const account = readTokenAccount(state);
  if (account === null) return null;
  const mint = readMint(read(account.mint));
  if (mint === null) return null;
  return {
    type: 'account',
    info: {
      mint: account.mint,
      owner: account.owner,
      tokenAmount: uiAmount(account.amount, mint.decimals),
      state: account.state,
      isNative: account.nativeReserve !== null,
      ...(account.nativeReserve === null ? {} : { rentExemptReserve: uiAmount(account.nativeReserve, 9) }),
      ...(account.delegate === null
        ? {}
        : { delegate: account.delegate, delegatedAmount: uiAmount(account.delegatedAmount, mint.decimals) }),
      ...(account.closeAuthority === null ? {} : { closeAuthority: account.closeAuthority }),
      ...extensionsOf(state),
    },
  };
}

function parseMint(state: AccountState): unknown {
  const mint = readMint(state);
  if (mint === null) return null;
  return {
    type: 'mint',
    info: {
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
      decimals: mint.decimals,
      isInitialized: true,
      freezeAuthority: mint.freezeAuthority,
      ...extensionsOf(state),
    },
  };
}

function extensionsOf(state: AccountState): Record<string, unknown> {
  if (state.owner !== TOKEN_2022_PROGRAM) return {};
  const extensions = readExtensions(state.data).map(parseExtension);
  return extensions.length === 0 ? {} : { extensions };
}
