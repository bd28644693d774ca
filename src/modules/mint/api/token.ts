import { toBase58 } from '@tradepost/solana';
import { hasCode } from '../../../core/errors/app-error.ts';
import { invalidRequest } from '../../../platform/http/errors/api-error.ts';
import { route } from '../../../platform/http/route.ts';
import type { BuiltToken } from '../use/build-token.ts';
import { powerText, warningText } from './token-power-text.ts';
import {
  across,
  CODES,
  detailOf,
  draftOf,
  type TokenMint,
  tokenRequest,
  tokenResponse,
} from './token-schema.ts';

const WALLET = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const MINT = '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs';

/** A token's whole creation as one transaction that the payer signs and submits. Nothing is submitted here. */
export const token = route({
  act: 'reads',
  method: 'POST',
  scope: 'token',
  path: '/token',
  idempotent: true,
  operationId: 'createTokenTransaction',
  summary: 'A transaction that creates a token, ready to sign',
  description:
    'Checks every field and rule at once, simulates the creation on the present state of the chain and returns it. Unless a URI is given, the metadata document is stored once the simulation has succeeded; it stays when the mint is seen on chain within a day, and is deleted otherwise. A generated mint has signed already and its secret is gone; a mint of your own (`newMint`) signs beside the payer. Authorities that are not kept are given up in the same transaction. Metadata of `token` stands in a Metaplex record where the cluster has that program, metadata of `token2022` in the mint itself.',
  input: { in: 'body', name: 'TokenRequest', schema: tokenRequest },
  inputExample: {
    payer: WALLET,
    symbol: 'PUP',
    name: 'Puppy',
    metadata: { description: 'A good dog.', extensions: { website: 'https://puppy.example' } },
    program: 'token2022',
    transferFeeConfigAuthority: WALLET,
    transferFeeWithdrawalAuthority: WALLET,
    transferFeeBps: 100,
    transferFeeMax: '1000000',
  },
  output: {
    name: 'TokenResponse',
    schema: tokenResponse,
    example: {
      payer: WALLET,
      token: {
        address: MINT,
        name: 'Puppy',
        symbol: 'PUP',
        decimals: 6,
        metadata:
          'https://desk.example.org/metadata/2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae.json',
        mintAuthority: WALLET,
        freezeAuthority: '',
        mintSupply: '1000000000',
        mintTo: WALLET,
        program: 'token2022',
        transferFeeConfigAuthority: WALLET,
        transferFeeWithdrawalAuthority: WALLET,
        transferFeeBps: 100,
        transferFeeMax: '1000000',
      },
      tx: '4hXTCkRzt9WyecNzV1XPgCDfGAZzQKNxLXgynz5QDuWWPSAZBZSHptvWRL3BjCvzUXRdKvHL2b7yGrRQcWyaqsaBCncVG7BFggS8w9snUts67BSh3EqKpXLUm5UMHfD7ZBe9GhARjbNQMLJ1QD3Spr6oMTBU6EhdB4RD8CP2xUxr2u3d6fos36PD98XS6oX8TQjLpsMwncs5DAMiD4nNnR8NBfyghGCWvCVifVwvA8B8TJxE1aiyiv2L429BCWfyzAme5sZW8rDb14NeCQHhZbtNqfXhcp2tAnaAT',
      txBase64: 'AgAAAAAAAAAA…',
      submitToken: 'mhq0wr5s.3oXh0n3o0lQW7pG1m4m8mVYQxJtqz0mYJYyq5gUq1iM',
      lastValidBlockHeight: '323456789',
      expiresAt: '2026-01-01T00:01:00.000Z',
      fees: { networkFeeLamports: '10000', rentLamports: '6528480', metadataFeeLamports: '0' },
      powers: [
        { code: 'MINT_MORE', holder: WALLET, message: 'may mint more tokens' },
        {
          code: 'CHANGE_TRANSFER_FEE',
          holder: WALLET,
          message: 'may change the fee of every transfer, up to 100 %',
        },
        { code: 'COLLECT_TRANSFER_FEE', holder: WALLET, message: 'collects the fees of transfers' },
        { code: 'CHANGE_METADATA', holder: WALLET, message: 'may change name, symbol and URI' },
      ],
      warnings: [],
    },
  },
  codes: CODES,
  errors: [
    'ACCOUNT_STATE_INVALID',
    'ADDRESS_CONFLICT',
    'ADDRESS_INVALID',
    'ADDRESS_NOT_A_WALLET',
    'DECIMALS_OUT_OF_RANGE',
    'FROZEN_NEEDS_FREEZE_AUTHORITY',
    'INTEREST_INCOMPLETE',
    'INTEREST_OUT_OF_RANGE',
    'LINK_INVALID',
    'MINT_EXISTS',
    'MINT_TO_REQUIRED',
    'NON_TRANSFERABLE_WITH_FEE',
    'PROGRAM_UNKNOWN',
    'RECIPIENT_IS_TOKEN_ACCOUNT',
    'SUPPLY_INVALID',
    'SUPPLY_TOO_LARGE',
    'TAGS_TOO_MANY',
    'TEXT_TOO_LONG',
    'TEXT_UNPRINTABLE',
    'TRANSACTION_TOO_LARGE',
    'TRANSFER_FEE_INCOMPLETE',
    'TRANSFER_FEE_MAX_INVALID',
    'TRANSFER_FEE_OUT_OF_RANGE',
    'URI_INVALID',
    'INSUFFICIENT_LAMPORTS',
    'RENT_REMAINDER',
    'SIMULATION_FAILED',
    'METADATA_INVALID',
    'PUBLIC_URL_UNKNOWN',
    'METADATA_STORE_FULL',
  ],
  across,
  // Whatever a swap would blame on its wallet or amount is the payer's here.
  fieldsOf: (input) => ({ [input.payer]: 'payer', userWalletAddress: 'payer', amount: 'payer' }),
  handle: async (deps, input, { takeStorage }) => {
    try {
      const built = await deps.buildToken(draftOf(input), takeStorage);
      return {
        ...answer(built),
        submitToken: deps.submissions.tokenOf(built.transaction),
        expiresAt: new Date(deps.clock.now() + built.livesMs).toISOString(),
      };
    } catch (error) {
      if (hasCode(error, 'TOKEN_REQUEST_INVALID')) throw invalidRequest(error.details.problems.map(detailOf));
      throw error;
    }
  },
});

function answer(built: BuiltToken) {
  const { payer, cost, powers, warnings } = built;
  return {
    payer,
    token: mintOf(built),
    tx: toBase58(built.transaction),
    txBase64: Buffer.from(built.transaction).toString('base64'),
    lastValidBlockHeight: built.lastValidBlockHeight.toString(),
    fees: {
      networkFeeLamports: built.networkLamports.toString(),
      rentLamports: cost.rentLamports.toString(),
      metadataFeeLamports: cost.metadataFeeLamports.toString(),
    },
    powers: powers.map((power) => ({ ...power, message: powerText(power) })),
    warnings: warnings.map((warning) => ({ code: warning.code, message: warningText(warning) })),
  };
}

/** The token as the specification shows it; fields of extensions that were not asked for are left out. */
function mintOf({ mint, payer, spec, uri }: BuiltToken): TokenMint {
  const { transferFee, permanentDelegate, defaultAccountState, interest, mintCloseAuthority } =
    spec.extensions;
  return {
    address: mint,
    name: spec.name,
    symbol: spec.symbol,
    decimals: spec.decimals,
    metadata: uri,
    mintAuthority: spec.mintAuthority ? payer : '',
    freezeAuthority: spec.freezeAuthority ? payer : '',
    mintSupply: (spec.supply / 10n ** BigInt(spec.decimals)).toString(),
    mintTo: spec.mintTo,
    program: spec.program,
    ...(transferFee === null
      ? {}
      : {
          transferFeeConfigAuthority: transferFee.configAuthority,
          transferFeeWithdrawalAuthority: transferFee.withdrawalAuthority,
          transferFeeBps: transferFee.bps,
          transferFeeMax: transferFee.maximum.toString(),
        }),
    ...(permanentDelegate === null ? {} : { permanentDelegate }),
    ...(defaultAccountState === null ? {} : { defaultAccountState: { state: defaultAccountState } }),
    ...(interest === null
      ? {}
      : { interestBearingAuthority: interest.authority, interestBearingPercent: interest.bps }),
    ...(mintCloseAuthority === null ? {} : { mintCloseAuthority }),
    ...(spec.extensions.nonTransferable ? { nonTransferableMint: true } : {}),
  };
}
