import {
  type Address,
  addressFromBytes,
  NO_SPEC_EXTENSIONS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import type { CreateTokenParams } from '../../../src/engine/intents/kinds/create-token/params.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { TokenSpec } from '../../../src/modules/mint/rules/token-spec.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import type { Stores } from '../../../src/platform/ports/stores.ts';
import { PASSED } from '../passed.ts';
import { addressNamed } from './keys.ts';
import { VENUE } from './plans.ts';
import type { SimKind } from './sim-options.ts';

type PeopleStores = Pick<Stores, 'users' | 'wallets'>;

/** A person of their own per request, so that each request's money can be followed. */
export const walletOf = (index: number): Address => addressNamed(`person-${index}`);
const destinationOf = (index: number): Address => addressOf(150, index);

/** The `index`-th person with a wallet; the simulated vault needs no real key. */
export async function addPerson(
  db: PeopleStores,
  { index, inviterId }: { readonly index: number; readonly inviterId: string | null },
): Promise<string> {
  const id = `person-${index}`;
  await db.users.insert({
    id,
    telegramId: BigInt(1_000 + index),
    firstName: id,
    telegramLanguage: null,
    settings: DEFAULT_SETTINGS,
    activeWalletId: null,
    inviterId,
    screenMessageId: null,
    blockedAt: null,
    createdAt: 0,
  });
  await addWallet(db, { id: `wallet-${id}`, userId: id, address: walletOf(index) });
  await db.users.activate(PASSED, id, `wallet-${id}`);
  return id;
}

export async function addWallet(
  db: PeopleStores,
  { id, userId, address }: { readonly id: string; readonly userId: string | null; readonly address: Address },
): Promise<void> {
  await db.wallets.insert(
    PASSED,
    {
      id,
      userId,
      name: 'Main',
      address,
      createdAt: 0,
      deletedAt: null,
      origin: 'made',
      confirmedAt: null,
      payoutFrom: null,
    },
    {
      walletId: id,
      userId,
      publicKey: address,
      version: 1,
      kekId: 'k',
      wrappedDek: new Uint8Array(60),
      sealedSeed: new Uint8Array(60),
    },
  );
}

/** What the `index`-th person asks for. A payout is asked for by nobody: it follows from the buy of an invited person. */
export function requestOf(
  index: number,
  kind: SimKind,
): { readonly userId: string; readonly walletId: string; readonly params: IntentParams } {
  const amount = 1_500_000_000n + BigInt(index);
  const destination = destinationOf(index);
  const terms = {
    amountIn: amount,
    quotedOut: 1n,
    minOut: 1n,
    platformFeeLamports: 15_000_000n,
    priceImpactBps: 1,
    slippageBps: 100,
    route: [],
  };
  const tier = 'normal';
  const spec: TokenSpec = {
    program: 'token2022',
    name: 'Sim',
    symbol: 'SIM',
    decimals: 6,
    supply: 1_000_000n,
    mintTo: walletOf(index),
    mintAuthority: true,
    freezeAuthority: false,
    updateAuthority: true,
    extensions: NO_SPEC_EXTENSIONS,
  };
  const creation: CreateTokenParams = {
    kind: 'create-token',
    spec,
    way: 'native',
    uri: '',
    metadataHash: null,
    recordLamports: 0n,
    mintRentLamports: 4_000_000n,
    holdingRentLamports: 0n,
    feeLamports: 15_000_000n,
    tier,
  };
  const params: { readonly [K in SimKind]: IntentParams } = {
    'withdraw-sol': { kind: 'withdraw-sol', destination, lamports: amount, everything: false, tier },
    'withdraw-token': {
      kind: 'withdraw-token',
      mint: VENUE,
      tokenProgram: TOKEN_PROGRAM,
      decimals: 0,
      destination,
      amount,
      tier,
    },
    buy: { kind: 'buy', mint: VENUE, lamportsIn: amount, terms, tier },
    sell: { kind: 'sell', mint: VENUE, amountIn: amount, terms, tier },
    'prepare-token': { kind: 'prepare-token', creation, tier },
    'create-token': creation,
    'revoke-authority': {
      kind: 'revoke-authority',
      mint: VENUE,
      tokenProgram: TOKEN_2022_PROGRAM,
      authority: 'mint',
      record: null,
      tier,
    },
    'close-accounts': {
      kind: 'close-accounts',
      accounts: [{ account: VENUE, tokenProgram: TOKEN_2022_PROGRAM }],
      rentLamports: 0n,
      tier,
    },
    launch: {
      kind: 'launch',
      pad: 'desk',
      program: null,
      config: null,
      spec,
      uri: '',
      metadataHash: null,
      firstBuy: { lamports: amount, quotedTokens: 1n, minTokens: 1n, slippageBps: 100 },
      costLamports: 4_000_000n,
      feeLamports: 15_000_000n,
      tier,
    },
    payout: { kind: 'buy', mint: VENUE, lamportsIn: amount, terms, tier },
  };
  return { userId: `person-${index}`, walletId: `wallet-person-${index}`, params: params[kind] };
}

/** The token accounts that such a request changes once it is carried out, which the simulated cluster does not keep. */
export function tokensOf(params: IntentParams, payer: Address): LandedTransaction['tokenBalances'] {
  const row = (mint: Address, before: bigint, after: bigint) => [
    { account: payer, owner: payer, mint, before, after },
  ];
  switch (params.kind) {
    case 'buy':
      return row(params.mint, 0n, params.terms.minOut);
    case 'sell':
      return row(params.mint, params.amountIn, 0n);
    case 'withdraw-token':
      return row(params.mint, params.amount, 0n);
    case 'create-token':
      return params.prepared === undefined ? [] : row(params.prepared.mint, 0n, params.spec.supply);
    case 'withdraw-sol':
    case 'payout':
    case 'prepare-token':
    case 'launch':
    case 'revoke-authority':
    case 'close-accounts':
      return [];
  }
}

function addressOf(group: number, index: number): Address {
  const bytes = new Uint8Array(32).fill(group);
  bytes[31] = index;
  return addressFromBytes(bytes);
}
